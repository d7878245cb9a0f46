package io.deli.test.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.deli.coprocessor.spi.BlockKeys;
import io.deli.coprocessor.spi.Internal;
import org.junit.jupiter.api.Test;

/** The house's walls. */
class ArchitectureTest {
  private static final String[] CORE = {
    "io.deli.config..",
    "io.deli.entry..",
    "io.deli.index..",
    "io.deli.query..",
    "io.deli.strategy..",
    "io.deli.token.."
  };

  private static final JavaClasses DELI =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.deli");

  @Test
  void everyModuleIsSeen() {
    for (String present :
        new String[] {
          "io.deli.strategy.Index",
          "io.deli.client.DeliAdmin",
          "io.deli.coprocessor.DeliRegionObserver",
          "io.deli.coprocessor.DeliMasterObserver",
          "io.deli.fileindex.BlockIndexing",
          "io.deli.ycsb.DeliClient"
        }) {
      assertThat(DELI.contain(present)).as(present).isTrue();
    }
  }

  @Test
  void clientAndCoprocessorDoNotKnowEachOther() {
    noClasses()
        .that()
        .resideInAPackage("io.deli.client..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.deli.coprocessor..")
        .check(DELI);
    noClasses()
        .that()
        .resideInAPackage("io.deli.coprocessor..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.deli.client..")
        .check(DELI);
  }

  @Test
  void fileIndexesAreOptional() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.deli.fileindex..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.deli.fileindex..")
        .check(DELI);
  }

  @Test
  void fileIndexesUseNothingOfTheCoprocessorButItsServiceInterface() {
    noClasses()
        .that()
        .resideInAPackage("io.deli.fileindex..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.deli.coprocessor..")
                .and(not(resideInAPackage("io.deli.coprocessor.spi"))))
        .check(DELI);
  }

  /**
   * What remains is read, and of no store: the keys of a file's own block index, whose class is not
   * public though its methods are, and the rows of whole stripes, which only the scanner of a
   * striped store's compaction knows. {@code HBaseInternalsTest} names each member.
   */
  @Test
  void theCoprocessorReflectsOnNoStore() {
    DescribedPredicate<JavaClass> coprocessor =
        resideInAPackage("io.deli.coprocessor..").and(not(belongTo(type(Internal.class))));
    noClasses()
        .that(coprocessor)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.lang.reflect..", "java.lang.invoke..")
        .check(DELI);
    noClasses()
        .that(coprocessor)
        .should()
        .callMethod(Internal.class, "set", Object.class, Object.class)
        .check(DELI);
    noClasses()
        .that(
            coprocessor
                .and(not(type(BlockKeys.class)))
                .and(not(name("io.deli.coprocessor.internal.hbase.HBaseInternals"))))
        .should()
        .dependOnClassesThat(type(Internal.class))
        .check(DELI);
  }

  @Test
  void coreKnowsNobody() {
    noClasses()
        .that()
        .resideInAnyPackage(CORE)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.deli.client..",
            "io.deli.coprocessor..",
            "io.deli.fileindex..",
            "io.deli.ycsb..",
            "io.deli.tools..",
            "io.deli.lab..")
        .check(DELI);
  }

  @Test
  void packagesAreFreeOfCycles() {
    slices().matching("io.deli.(*)..").should().beFreeOfCycles().check(DELI);
  }

  @Test
  void coreDoesNoInputOrOutput() {
    noClasses()
        .that()
        .resideInAnyPackage(CORE)
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                    "java.net..",
                    "java.nio.file..",
                    "java.nio.channels..",
                    "org.apache.hadoop.fs..",
                    "org.apache.hadoop.hbase.ipc..")
                .or(
                    describe(
                        "talk to HBase or to files",
                        type ->
                            type.isAssignableTo("org.apache.hadoop.hbase.client.Connection")
                                || type.isAssignableTo("org.apache.hadoop.hbase.client.Table")
                                || type.isAssignableTo("org.apache.hadoop.hbase.client.Admin")
                                || type.isAssignableTo(
                                    "org.apache.hadoop.hbase.client.AsyncConnection")
                                || type.isAssignableTo("org.apache.hadoop.hbase.client.AsyncTable")
                                || type.getName().startsWith("java.io.File"))))
        .check(DELI);
  }

  @Test
  void internalStaysInternal() {
    classes()
        .that(
            new DescribedPredicate<>("live in an internal package") {
              @Override
              public boolean test(JavaClass type) {
                return owner(type) != null;
              }
            })
        .should(beUsedByTheirOwnModuleOnly())
        .check(DELI);
  }

  /** Part of the module that an internal package belongs to: {@code io.deli.client}, say. */
  private static String owner(JavaClass type) {
    String name = type.getPackageName();
    int internal = name.indexOf(".internal");
    return internal < 0 ? null : module(name);
  }

  private static String module(String packageName) {
    if (packageName.startsWith("io.deli.client")
        || packageName.startsWith("io.deli.coprocessor")
        || packageName.startsWith("io.deli.fileindex")
        || packageName.startsWith("io.deli.ycsb")
        || packageName.startsWith("io.deli.tools")
        || packageName.startsWith("io.deli.lab")) {
      return packageName.split("\\.", 4)[2];
    }
    return "core";
  }

  private static ArchCondition<JavaClass> beUsedByTheirOwnModuleOnly() {
    return new ArchCondition<>("be used by their own module only") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        type.getDirectDependenciesToSelf()
            .forEach(
                use ->
                    events.add(
                        new SimpleConditionEvent(
                            use,
                            module(use.getOriginClass().getPackageName()).equals(owner(type)),
                            use.getDescription())));
      }
    };
  }
}
