package io.deli.lab.experiment;

import io.deli.tools.Failure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A map of a spec file, whose keys are taken one by one. Every mistake is a {@link Failure} that
 * names the file and the key.
 */
final class SpecNode {
  private final String place;
  private final Map<String, Object> left = new LinkedHashMap<>();

  private SpecNode(String place, Map<?, ?> map) {
    this.place = place;
    map.forEach((key, value) -> left.put(text(place, key), value));
  }

  static SpecNode of(String place, Object value) {
    if (value instanceof Map<?, ?> map) {
      return new SpecNode(place, map);
    }
    throw wrong(place, "must be a map, not '%s'".formatted(value));
  }

  static Failure wrong(String place, String why) {
    return Failure.usage(place + (place.endsWith(":") ? " " : ": ") + why);
  }

  Failure wrong(String why) {
    return wrong(place, why);
  }

  private String at(String key) {
    return place + (place.endsWith(":") ? " " : ".") + key;
  }

  List<String> keys() {
    return List.copyOf(left.keySet());
  }

  boolean has(String key) {
    return left.containsKey(key);
  }

  private Optional<Object> take(String key) {
    return Optional.ofNullable(left.remove(key));
  }

  private static String text(String place, Object value) {
    if (value instanceof String || value instanceof Number) {
      return value.toString();
    }
    throw wrong(place, "must be a text or a number (in quotes?), not '%s'".formatted(value));
  }

  Optional<String> optional(String key) {
    return take(key).map(value -> text(at(key), value));
  }

  String text(String key) {
    return optional(key).orElseThrow(() -> wrong("'%s' is missing".formatted(key)));
  }

  String text(String key, String otherwise) {
    return optional(key).orElse(otherwise);
  }

  private <T> Optional<T> take(String key, Class<T> type, String what) {
    return take(key)
        .map(
            value -> {
              if (type.isInstance(value)) {
                return type.cast(value);
              }
              throw wrong(at(key), "must be %s, not '%s'".formatted(what, value));
            });
  }

  double number(String key, double otherwise) {
    return take(key, Number.class, "a number").map(Number::doubleValue).orElse(otherwise);
  }

  int count(String key, int otherwise) {
    return (int) number(key, otherwise);
  }

  boolean flag(String key) {
    return take(key, Boolean.class, "true or false").orElse(false);
  }

  <E extends Enum<E>> E choice(String key, Class<E> type, E otherwise) {
    String name = text(key, otherwise.name());
    return Arrays.stream(type.getEnumConstants())
        .filter(each -> each.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                wrong(
                    at(key),
                    "must be one of %s, not '%s'"
                        .formatted(Arrays.toString(type.getEnumConstants()), name)));
  }

  Object raw(String key) {
    return take(key).orElseThrow(() -> wrong("'%s' is missing".formatted(key)));
  }

  private List<?> list(String key) {
    Object value = take(key).orElse(List.of());
    return value instanceof List<?> list ? list : List.of(value);
  }

  /** One, several or no texts. */
  List<String> texts(String key) {
    return list(key).stream().map(value -> text(at(key), value)).toList();
  }

  /** A list of maps; one that is a text alone is a map with that key. */
  List<SpecNode> nodes(String key) {
    List<SpecNode> nodes = new ArrayList<>();
    for (Object value : list(key)) {
      String where = "%s[%d]".formatted(at(key), nodes.size());
      nodes.add(of(where, value instanceof String alone ? Map.of(alone, Map.of()) : value));
    }
    return nodes;
  }

  SpecNode node(String key) {
    return of(at(key), take(key).orElse(Map.of()));
  }

  Map<String, String> map(String key) {
    SpecNode node = node(key);
    Map<String, String> map = new LinkedHashMap<>();
    node.left.forEach((name, value) -> map.put(name, text(node.at(name), value)));
    return map;
  }

  /** Sees that the texts below these keys, however deep, are among the names. */
  void requireNamed(Set<String> keys, List<String> names) {
    requireNamed(place, left, keys, names);
  }

  private static void requireNamed(
      String place, Object tree, Set<String> keys, List<String> names) {
    if (tree instanceof List<?> list) {
      list.forEach(each -> requireNamed(place, each, keys, names));
    } else if (tree instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) -> {
            String where = place + " " + key;
            List<?> texts = value instanceof List<?> list ? list : List.of(value);
            for (Object each : keys.contains(key) ? texts : List.of()) {
              if (!names.contains(each)) {
                throw wrong(where, "'%s' is none of %s".formatted(each, names));
              }
            }
            requireNamed(where, value, keys, names);
          });
    }
  }

  /** Refuses keys that nobody took. */
  void end() {
    if (!left.isEmpty()) {
      throw wrong(at(left.keySet().iterator().next()), "there is no such key here");
    }
  }
}
