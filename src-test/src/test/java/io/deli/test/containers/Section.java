package io.deli.test.containers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A mapping in a YAML file; each of its keys must be taken, so that none is without effect. */
final class Section {
  private final String path;
  private final Map<String, Object> left = new LinkedHashMap<>();

  private Section(String path, Map<?, ?> entries) {
    this.path = path;
    entries.forEach((key, value) -> left.put(key.toString(), value));
  }

  static Section of(String path, Object value) {
    if (value instanceof Map<?, ?> entries) {
      return new Section(path, entries);
    }
    throw new IllegalArgumentException(path + " is not a mapping");
  }

  String path() {
    return path;
  }

  List<String> keys() {
    return List.copyOf(left.keySet());
  }

  /** The text at a key that must be there. */
  String text(String key) {
    return text(pathOf(key), take(key));
  }

  /** Texts at a key that must be there. */
  List<String> texts(String key) {
    return texts(pathOf(key), take(key));
  }

  /** Texts at a key, none if it is not there. */
  List<String> textsIfAny(String key) {
    return left.containsKey(key) ? texts(key) : List.of();
  }

  Section section(String key) {
    return of(pathOf(key), take(key));
  }

  Optional<Section> sectionIfAny(String key) {
    return left.containsKey(key) ? Optional.of(section(key)) : Optional.empty();
  }

  /** All of it, key by key. */
  Map<String, String> allTexts() {
    Map<String, String> texts = new LinkedHashMap<>();
    keys().forEach(key -> texts.put(key, text(key)));
    return texts;
  }

  /** Takes a key that says nothing but itself. */
  void empty(String key) {
    if (left.containsKey(key) && left.remove(key) == null) {
      return;
    }
    throw new IllegalArgumentException(pathOf(key) + " is not empty");
  }

  /** Refuses what was not taken. */
  void finish() {
    if (!left.isEmpty()) {
      throw new IllegalArgumentException(
          left.keySet().stream().map(this::pathOf).toList() + " is not known to the tests");
    }
  }

  private String pathOf(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private Object take(String key) {
    Object value = left.remove(key);
    if (value == null) {
      throw new IllegalArgumentException(pathOf(key) + " is missing");
    }
    return value;
  }

  private static String text(String path, Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException(path + " is not a text");
  }

  private static List<String> texts(String path, Object value) {
    if (value instanceof List<?> list) {
      List<String> texts = new ArrayList<>();
      list.forEach(item -> texts.add(text(path, item)));
      return texts;
    }
    throw new IllegalArgumentException(path + " is not a list");
  }
}
