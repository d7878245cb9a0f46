package io.deli.test.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.MethodCallTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every class and member of HBase that DELI was compiled against is in the HBase on the class path,
 * which may be another one: then it is said what is gone, who uses it and what stops working.
 */
class HBaseUseTest {
  private static final String HBASE = "org.apache.hadoop.hbase.";

  private static final String FILES = "lookups of `embedded` and `next` fail";
  private static final String GARBAGE =
      "flushes keep everything, and compactions of indexed tables fail";

  /** What happens without HBase's part, by the package that uses it; the longest prefix counts. */
  private static final Map<String, String> WITHOUT =
      Map.ofEntries(
          Map.entry("io.deli", "this DELI does not serve this HBase"),
          Map.entry("io.deli.client", "programs that call it fail"),
          Map.entry("io.deli.tools", "the command that uses it fails"),
          Map.entry("io.deli.lab", "the command that uses it fails"),
          Map.entry("io.deli.coprocessor", "hooks fail as the operation that calls them"),
          Map.entry("io.deli.coprocessor.internal.endpoint", "garbage waits for compactions"),
          Map.entry("io.deli.coprocessor.internal.collect", GARBAGE),
          Map.entry("io.deli.coprocessor.internal.scan", GARBAGE),
          Map.entry(
              "io.deli.coprocessor.internal.servermaintained",
              "writes to indexes that servers maintain are refused"),
          Map.entry("io.deli.fileindex", FILES));

  private static SortedSet<String> gone(JavaClasses classes) {
    SortedSet<String> gone = new TreeSet<>();
    for (JavaClass user : classes) {
      user.getDirectDependenciesFromSelf().stream()
          .map(use -> use.getTargetClass().getBaseComponentType())
          .filter(type -> isOfHBase(type) && !type.isFullyImported())
          .forEach(type -> gone.add(sentence(type.getName(), user)));
      user.getAccessesFromSelf().stream()
          .filter(use -> isOfHBase(use.getTargetOwner()) && use.getTargetOwner().isFullyImported())
          .filter(use -> !isThere(use))
          .forEach(use -> gone.add(sentence(use.getTarget().getFullName(), user)));
    }
    return gone;
  }

  private static String sentence(String what, JavaClass user) {
    return "%s is gone, which %s uses: %s"
        .formatted(what.substring(HBASE.length()), user.getName(), without(user.getPackageName()));
  }

  private static String without(String user) {
    String known = user;
    while (!WITHOUT.containsKey(known)) {
      known = known.substring(0, known.lastIndexOf('.'));
    }
    return WITHOUT.get(known);
  }

  private static boolean isOfHBase(JavaClass type) {
    return type.getName().startsWith(HBASE);
  }

  /** As a Java virtual machine looks for it: a method with its result. */
  private static boolean isThere(JavaAccess<?> use) {
    return use.getTarget() instanceof MethodCallTarget called
        ? use.getTargetOwner().getAllMethods().stream().anyMatch(method -> is(method, called))
        : use.getTarget().resolveMember().isPresent();
  }

  private static boolean is(JavaMethod method, MethodCallTarget called) {
    return method.getName().equals(called.getName())
        && names(method.getRawParameterTypes()).equals(names(called.getRawParameterTypes()))
        && method.getRawReturnType().getName().equals(called.getRawReturnType().getName());
  }

  private static List<String> names(List<JavaClass> types) {
    return types.stream().map(JavaClass::getName).toList();
  }

  @Test
  void everythingIsThere() {
    JavaClasses deli =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.deli");
    assertThat(deli.contain("io.deli.coprocessor.DeliRegionObserver")).isTrue();
    assertThat(gone(deli)).isEmpty();
  }

  /** A class that was compiled against another HBase. */
  @Test
  void whatMovedIsNamedWithWhoUsesIt(@TempDir Path dir) throws Exception {
    source(dir, HBASE + "regionserver.Moved", "public class Moved {}");
    source(dir, HBASE + "regionserver.HStore", "public class HStore { public void move() {} }");
    Path user =
        source(
            dir,
            "io.deli.coprocessor.internal.scan.User",
            "class User { org.apache.hadoop.hbase.regionserver.Moved moved;"
                + " void use(org.apache.hadoop.hbase.regionserver.HStore s) { s.move(); } }");
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-sourcepath", dir.toString(), "-cp", "", user.toString());
    assertThat(compiled).isZero();
    assertThat(gone(new ClassFileImporter().importPath(user.getParent())))
        .containsExactly(
            "regionserver.HStore.move() is gone, which io.deli.coprocessor.internal.scan.User"
                + " uses: flushes keep everything, and compactions of indexed tables fail",
            "regionserver.Moved is gone, which io.deli.coprocessor.internal.scan.User"
                + " uses: flushes keep everything, and compactions of indexed tables fail");
  }

  private static Path source(Path dir, String name, String body) throws Exception {
    int dot = name.lastIndexOf('.');
    Path file = dir.resolve(name.replace('.', '/') + ".java");
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "package " + name.substring(0, dot) + "; " + body);
  }
}
