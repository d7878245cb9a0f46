package io.deli.test.containers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * All that a compose file says, with variables and merge keys resolved. Whatever is not understood
 * is refused with its name: nothing in the file is without effect on the tests.
 */
record ComposeFile(Map<String, Service> services) {
  private static final String HEALTHY = "service_healthy";
  private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\{([A-Z_]+):-([^${}]*)})?");
  private static final Pattern SIZE = Pattern.compile("(\\d+)([kmg])");
  private static final Pattern WORD = Pattern.compile("[\\w-]+");

  /** How an image is made: directory and file are relative to that of the compose file. */
  record Build(Path context, String dockerfile, Map<String, String> arguments) {}

  /** What a container runs. */
  record Role(String command, String hostname, Map<String, String> environment) {}

  /** What a container may not do. */
  record Limits(long memory, List<String> droppedCapabilities, List<String> securityOptions) {}

  /** How a container ends and begins again. */
  record Lifetime(String restart, Duration stopGrace) {}

  /** Where named volumes are mounted, and what is published. */
  record Outside(Map<String, String> volumes, List<String> ports) {}

  /** One container, which starts when those that it depends on are healthy. */
  record Service(
      String image,
      Optional<Build> build,
      Role role,
      Limits limits,
      Lifetime lifetime,
      Outside outside,
      Set<String> dependsOn) {}

  static ComposeFile read(Path file, Map<String, String> variables) throws IOException {
    return parse(Files.readString(file), variables);
  }

  /** Each of the variables must occur; one that is not given, or empty, has its default. */
  static ComposeFile parse(String text, Map<String, String> variables) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    Set<String> found = new HashSet<>();
    Object loaded = new Yaml(new SafeConstructor(options)).load(text);
    Section file = Section.of("", resolved(loaded, variables, found));
    if (!found.containsAll(variables.keySet())) {
      Set<String> missing = new TreeSet<>(variables.keySet());
      missing.removeAll(found);
      throw new IllegalArgumentException("nothing depends on " + missing);
    }

    // What is shared is resolved where it is used.
    file.keys().stream().filter(key -> key.startsWith("x-")).forEach(file::section);
    Map<String, Service> services = new LinkedHashMap<>();
    Section all = file.section("services");
    all.keys().forEach(name -> services.put(name, service(all.section(name))));
    Section volumes = file.section("volumes");
    Set<String> declared = new TreeSet<>(volumes.keys());
    declared.forEach(volumes::empty);
    file.finish();

    Set<String> mounted = new TreeSet<>();
    services.values().forEach(service -> mounted.addAll(service.outside().volumes().keySet()));
    requireSame("volumes", mounted, declared);
    services.forEach(
        (name, service) ->
            service.dependsOn().stream()
                .filter(other -> !services.containsKey(other))
                .forEach(other -> refuse("services." + name + ".depends_on", other)));
    return new ComposeFile(services);
  }

  /** The one way to make an image that is in the file. */
  Build build() {
    List<Build> builds =
        services.values().stream().flatMap(service -> service.build().stream()).toList();
    if (builds.size() != 1) {
      throw new IllegalArgumentException(builds.size() + " services with 'build'");
    }
    return builds.get(0);
  }

  private static Object resolved(Object value, Map<String, String> variables, Set<String> found) {
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> copy = new LinkedHashMap<>();
      map.forEach((key, entry) -> copy.put(key, resolved(entry, variables, found)));
      return copy;
    }
    if (value instanceof List<?> list) {
      return list.stream().map(item -> resolved(item, variables, found)).toList();
    }
    return value instanceof String text
        ? VARIABLE
            .matcher(text)
            .replaceAll(at -> Matcher.quoteReplacement(replacement(at, text, variables, found)))
        : value;
  }

  private static String replacement(
      MatchResult at, String text, Map<String, String> variables, Set<String> found) {
    String name = at.group(1);
    if (name == null) {
      throw new IllegalArgumentException("'" + text + "' is not of the form ${NAME:-default}");
    }
    found.add(name);
    String value = variables.getOrDefault(name, "");
    return value.isEmpty() ? at.group(2) : value;
  }

  private static Service service(Section section) {
    Service service =
        new Service(
            section.text("image"),
            section.sectionIfAny("build").map(ComposeFile::build),
            new Role(
                matching(WORD, section, "command").group(),
                section.text("hostname"),
                section.section("environment").allTexts()),
            new Limits(
                bytes(matching(SIZE, section, "mem_limit")),
                section.texts("cap_drop"),
                section.texts("security_opt")),
            new Lifetime(
                section.text("restart"), Duration.parse("PT" + section.text("stop_grace_period"))),
            new Outside(mounts(section), section.textsIfAny("ports")),
            section.sectionIfAny("depends_on").map(ComposeFile::healthy).orElse(Set.of()));
    section.finish();
    return service;
  }

  private static Build build(Section section) {
    Build build =
        new Build(
            Path.of(section.text("context")),
            section.text("dockerfile"),
            section.section("args").allTexts());
    section.finish();
    return build;
  }

  private static Matcher matching(Pattern pattern, Section section, String key) {
    String text = section.text(key);
    Matcher matcher = pattern.matcher(text);
    if (!matcher.matches()) {
      refuse(section.path() + "." + key, text);
    }
    return matcher;
  }

  private static long bytes(Matcher size) {
    return Long.parseLong(size.group(1)) << (10 * (1 + "kmg".indexOf(size.group(2))));
  }

  private static Map<String, String> mounts(Section section) {
    Map<String, String> mounts = new LinkedHashMap<>();
    for (String mount : section.textsIfAny("volumes")) {
      String[] parts = mount.split(":", -1);
      if (parts.length != 2 || !WORD.matcher(parts[0]).matches()) {
        refuse(section.path() + ".volumes", mount);
      }
      mounts.put(parts[0], parts[1]);
    }
    return mounts;
  }

  private static Set<String> healthy(Section section) {
    Set<String> names = new TreeSet<>(section.keys());
    for (String name : names) {
      Section one = section.section(name);
      String condition = one.text("condition");
      if (!condition.equals(HEALTHY)) {
        refuse(one.path() + ".condition", condition);
      }
      one.finish();
    }
    return names;
  }

  private static void requireSame(String path, Set<String> used, Set<String> declared) {
    if (!used.equals(declared)) {
      throw new IllegalArgumentException(path + ": used are " + used + ", not " + declared);
    }
  }

  private static void refuse(String path, String value) {
    throw new IllegalArgumentException(path + ": '" + value + "' is not known to the tests");
  }
}
