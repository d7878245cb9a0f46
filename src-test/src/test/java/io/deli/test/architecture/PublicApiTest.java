package io.deli.test.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What {@code src-test/src/api/public.txt} lists stays: the public types of {@code deli-core} and
 * {@code deli-client} outside of internal packages, what each is a subtype of, and what of it
 * others see, be it inherited from an internal type. What is new may come, unless others would have
 * to implement it.
 */
class PublicApiTest {
  private static final String[] PACKAGES = {
    "io.deli.client",
    "io.deli.config",
    "io.deli.entry",
    "io.deli.index",
    "io.deli.query",
    "io.deli.service",
    "io.deli.strategy",
    "io.deli.token"
  };
  private static final String WRITE = "deli.api.write";
  private static final Path LISTING =
      Path.of(System.getProperty("deli.root"), "src-test", "src", "api", "public.txt");

  @Test
  void keepsWhatIsListed() throws IOException {
    SortedMap<String, List<String>> found = types();
    if (Boolean.getBoolean(WRITE)) {
      Files.createDirectories(LISTING.getParent());
      Files.write(LISTING, found.values().stream().flatMap(List::stream).toList());
    }
    Set<String> listed = new LinkedHashSet<>(Files.readAllLines(LISTING));
    Set<String> gone = new LinkedHashSet<>(listed);
    found.values().forEach(gone::removeAll);
    Set<String> demanded = new LinkedHashSet<>();
    for (List<String> type : found.values()) {
      if (listed.contains(type.get(0))) {
        type.stream()
            .filter(line -> line.contains(" abstract ") && !listed.contains(line))
            .forEach(demanded::add);
      }
    }
    String remedy =
        "%n%nPrograms rely on "
            + LISTING
            + ". If the change is meant, write it anew with -D%s=true";
    assertThat(listed).as("the public API").isNotEmpty();
    assertThat(gone).as("gone from, or changed in, the public API" + remedy, WRITE).isEmpty();
    assertThat(demanded).as("new for others to implement" + remedy, WRITE).isEmpty();
  }

  /** The lines of each type, by its name; the first is its declaration. */
  private static SortedMap<String, List<String>> types() {
    SortedMap<String, List<String>> types = new TreeMap<>();
    for (JavaClass each :
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(PACKAGES)) {
      Class<?> type = each.reflect();
      if (isSeen(type)) {
        types.put(type.getName(), lines(type));
      }
    }
    return types;
  }

  private static boolean isSeen(Class<?> type) {
    return !isInternal(type)
        && isSeen(type.getModifiers())
        && (type.getEnclosingClass() == null || isSeen(type.getEnclosingClass()));
  }

  private static boolean isSeen(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static boolean isInternal(Class<?> type) {
    return type.getName().startsWith("io.deli.") && type.getName().contains(".internal.");
  }

  private static List<String> lines(Class<?> type) {
    SortedSet<String> members = new TreeSet<>();
    supertypes(type).forEach(each -> members.add("  " + type.getName() + " is " + each));
    members.addAll(seen(type.getDeclaredFields(), Field::toGenericString));
    members.addAll(seen(type.getDeclaredConstructors(), Constructor::toGenericString));
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      if (each == type || isInternal(each)) {
        String declared = each.getName() + ".";
        members.addAll(
            seen(
                each.getDeclaredMethods(),
                method -> method.toGenericString().replace(declared, type.getName() + ".")));
      }
    }
    List<String> lines = new ArrayList<>();
    lines.add(type.toGenericString());
    lines.addAll(members);
    return lines;
  }

  private static <M extends Member> List<String> seen(M[] members, Function<M, String> text) {
    return Arrays.stream(members)
        .filter(member -> isSeen(member.getModifiers()) && !member.isSynthetic())
        .map(member -> "  " + text.apply(member).replace(" synchronized ", " "))
        .filter(line -> !line.contains(".internal."))
        .toList();
  }

  /** The direct ones; of those that are internal, theirs. */
  private static Stream<String> supertypes(Class<?> type) {
    Stream<Type> generic =
        Stream.concat(
            Stream.ofNullable(type.getGenericSuperclass()),
            Arrays.stream(type.getGenericInterfaces()));
    return generic.flatMap(
        each -> {
          Class<?> plain =
              (Class<?>) (each instanceof ParameterizedType of ? of.getRawType() : each);
          return isInternal(plain)
              ? supertypes(plain).map(name -> bound(name, plain, each))
              : Stream.of(each.getTypeName());
        });
  }

  /** A name with the arguments of a generic type in the stead of its parameters. */
  private static String bound(String name, Class<?> plain, Type generic) {
    String bound = name;
    if (generic instanceof ParameterizedType of) {
      for (int i = 0; i < plain.getTypeParameters().length; i++) {
        bound =
            bound.replaceAll(
                "\\b" + plain.getTypeParameters()[i].getName() + "\\b",
                of.getActualTypeArguments()[i].getTypeName());
      }
    }
    return bound;
  }
}
