package io.deli.lab.experiment;

import io.deli.tools.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Reads a spec file: YAML, of which this leaves plain maps, lists and values.
 *
 * <ul>
 *   <li>{@code like: NAME} takes the keys that are not given, and single parameters, from another
 *       spec.
 *   <li>A map with the keys {@code tiny}, {@code small} and {@code full} is the one for the size.
 *   <li>{@code ${NAME}} is a parameter, or {@code ${NAME * OTHER}} and {@code ${NAME / 3}}, rounded
 *       down but at least 1. Command lines set parameters otherwise.
 *   <li>{@code {for each: {NAME: LIST}, do: ITEMS}} in a list is the items for each of the values;
 *       of values that are maps {@code ${NAME.KEY}} is an entry.
 * </ul>
 */
final class SpecFile {
  private static final String PARAMETERS = "parameters";
  private static final String LIKE = "like";
  private static final String FOR_EACH = "for each";
  private static final String DO = "do";
  private static final Set<String> SIZES =
      Arrays.stream(Size.values()).map(SpecFile::key).collect(Collectors.toSet());
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}*/]+?)(?: ([*/]) ([^}]+))?}");

  private final String file;
  private final Size size;
  private final Map<String, Object> parameters = new LinkedHashMap<>();

  private SpecFile(String file, Size size) {
    this.file = file;
    this.size = size;
  }

  private static String key(Size size) {
    return size.name().toLowerCase(Locale.ROOT);
  }

  static SpecNode read(String name, Size size, Map<String, String> given) {
    String file = name + ".yaml";
    return of(file, load(file), size, given);
  }

  static SpecNode of(String file, String yaml, Size size) {
    return of(file, map(file + ":", parsed(file, yaml)), size, Map.of());
  }

  private static SpecNode of(
      String file, Map<String, Object> all, Size size, Map<String, String> given) {
    SpecFile spec = new SpecFile(file, size);
    spec.setParameters(
        map(file + ": " + PARAMETERS, all.getOrDefault(PARAMETERS, Map.of())), given);
    all.put(PARAMETERS, spec.parameters);
    return SpecNode.of(file + ":", spec.resolved(file + ":", all, spec.parameters));
  }

  private static Map<String, Object> load(String file) {
    try (InputStream in = SpecFile.class.getResourceAsStream(file)) {
      if (in == null) {
        throw SpecNode.wrong(file, "there is no such spec");
      }
      Map<String, Object> all =
          map(file + ":", parsed(file, new String(in.readAllBytes(), StandardCharsets.UTF_8)));
      Object like = all.remove(LIKE);
      if (like == null) {
        return all;
      }
      Map<String, Object> base = load(like + ".yaml");
      Map<String, Object> merged = map(file, base.getOrDefault(PARAMETERS, Map.of()));
      merged.putAll(map(file, all.getOrDefault(PARAMETERS, Map.of())));
      base.putAll(all);
      base.put(PARAMETERS, merged);
      return base;
    } catch (IOException e) {
      throw SpecNode.wrong(file, e.getMessage());
    }
  }

  private static Map<String, Object> map(String place, Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> copy = new LinkedHashMap<>();
      map.forEach((key, each) -> copy.put(String.valueOf(key), each));
      return copy;
    }
    throw SpecNode.wrong(place, "must be a map, not '%s'".formatted(value));
  }

  private void setParameters(Map<String, Object> declared, Map<String, String> given) {
    for (String name : given.keySet()) {
      if (!declared.containsKey(name)) {
        throw Failure.usage(
            "%s: there is no parameter '%s': choose from %s"
                .formatted(file, name, String.join(", ", declared.keySet())));
      }
    }
    declared.forEach(
        (name, node) -> {
          Object value = resolved(file + ": parameters." + name, node, parameters);
          String text = given.get(name);
          if (text != null) {
            value = value instanceof List ? list(name, text) : parsed(name, text);
          }
          parameters.put(name, value);
        });
  }

  private static List<Object> list(String place, String text) {
    return Arrays.stream(text.split(",", -1)).map(each -> parsed(place, each)).toList();
  }

  private static Object parsed(String place, String text) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    try {
      return new Yaml(new SafeConstructor(options)).load(text);
    } catch (YAMLException e) {
      throw SpecNode.wrong(place, e.getMessage());
    }
  }

  private Object resolved(String place, Object node, Map<String, Object> variables) {
    if (node instanceof String text) {
      return substituted(place, text, variables);
    } else if (node instanceof List<?> list) {
      return list(place, list, variables);
    } else if (node instanceof Map<?, ?> map) {
      if (map.keySet().equals(SIZES)) {
        return resolved(place, map.get(key(size)), variables);
      }
      Map<String, Object> resolved = new LinkedHashMap<>();
      map.forEach(
          (key, value) ->
              resolved.put(
                  substituted(place, String.valueOf(key), variables).toString(),
                  resolved(place + " " + key, value, variables)));
      return resolved;
    }
    return Optional.ofNullable(node).orElseGet(Map::of);
  }

  private List<Object> list(String place, List<?> list, Map<String, Object> variables) {
    List<Object> all = new ArrayList<>();
    for (Object item : list) {
      if (item instanceof Map<?, ?> map && map.containsKey(FOR_EACH)) {
        Map<String, Object> loop = map(place, map.get(FOR_EACH));
        loop.forEach(
            (name, values) -> {
              for (Object value : (List<?>) resolved(place, values, variables)) {
                all.addAll(list(place, (List<?>) map.get(DO), with(variables, name, value)));
              }
            });
      } else {
        all.add(resolved(place, item, variables));
      }
    }
    return all;
  }

  private static Map<String, Object> with(
      Map<String, Object> variables, String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(variables);
    more.put(name, value);
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, each) -> more.put(name + "." + key, each));
    }
    return more;
  }

  /** Substitutes variables; a text that is one variable takes its type. */
  private static Object substituted(String place, String text, Map<String, Object> variables) {
    Matcher whole = VARIABLE.matcher(text);
    if (whole.matches()) {
      return value(place, whole, variables);
    }
    return VARIABLE
        .matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement(Experiment.text(value(place, found, variables))));
  }

  private static Object value(String place, MatchResult found, Map<String, Object> variables) {
    Object value = variable(place, found.group(1), variables);
    if (found.group(2) == null) {
      return value;
    }
    double number = number(place, value);
    double factor = number(place, variables.getOrDefault(found.group(3), found.group(3)));
    return Math.max(1, (long) (found.group(2).equals("*") ? number * factor : number / factor));
  }

  private static Object variable(String place, String name, Map<String, Object> variables) {
    return Optional.ofNullable(variables.get(name))
        .orElseThrow(() -> SpecNode.wrong(place, "there is no parameter '%s'".formatted(name)));
  }

  private static double number(String place, Object value) {
    try {
      return Double.parseDouble(value.toString());
    } catch (NumberFormatException e) {
      throw SpecNode.wrong(place, "'%s' is neither a number nor a parameter".formatted(value));
    }
  }
}
