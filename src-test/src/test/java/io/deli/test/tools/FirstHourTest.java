package io.deli.test.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mistakes and surprises of a first hour with the command line, each answered so that it ends. */
class FirstHourTest {
  private static final String ISO = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z";

  private static Cli deli;

  @BeforeAll
  static void connect(@TempDir Path conf) throws IOException {
    MiniCluster.writeSite(MiniCluster.configuration(500), conf);
    deli = new Cli("--conf", conf.toString());
  }

  private static String table(String name) {
    String table = MiniCluster.uniqueTable(name).getNameAsString();
    assertThat(deli.run("create-table", table, "d").code()).isZero();
    return table;
  }

  /** A table with an index on one column. */
  private static String indexed(String stem) {
    String table = table(stem);
    succeeds("create-index", table, "by_v", "d:v");
    return table;
  }

  private static void succeeds(String... args) {
    Outcome outcome = deli.run(args);
    assertThat(outcome.code()).as(outcome.err()).isZero();
  }

  private static void fails(int code, String message, String... args) {
    assertThat(deli.run(args).assertFails(code, message).err()).doesNotContain("Exception");
  }

  @Test
  void builtIndexOverValuesOfAnotherTypeWarnsWithAnExample() {
    String table = table("other_type");
    succeeds("put", table, "k1", "n=abc");
    succeeds("put", table, "k2", "n=12");

    Outcome built = deli.run("create-index", table, "by_n", "d:n", "--type", "INT", "--build");

    assertThat(built.code()).isEqualTo(3);
    assertThat(built.out()).contains("built of 2 rows");
    assertThat(built.err())
        .contains("2 versions", "not in the index", "is not a valid INT in the encoding of Bytes")
        .containsPattern("row 'k[12]'");
    Outcome again = deli.run("build", table, "by_n");
    assertThat(again.code()).isEqualTo(3);
    assertThat(again.err()).containsPattern("row 'k[12]'");
  }

  @Test
  void verifyCountsValuesOfAnotherType() {
    String table = table("unindexable");
    succeeds("put", table, "k1", "n=abc");
    succeeds("create-index", table, "by_n", "d:n", "--type", "INT", "--leave-existing-unindexed");

    Outcome verified = deli.run("verify", table, "by_n");

    assertThat(verified.code()).isZero();
    assertThat(verified.out()).contains("unindexable: 1\n", "| k1 ");
  }

  @Test
  void verifyEndsWithAVerdictAndTellsHowToResume() {
    String table = indexed("verdict");
    succeeds("put", table, "k1", "v=a");
    succeeds("put", table, "k2", "v=a");

    assertThat(deli.run("verify", table, "by_v").out())
        .contains("verdict: index by_v holds every version that was compared\n");
    assertThat(deli.run("verify", table, "by_v", "--minutes", "0").out())
        .contains("resume: BASE:k2\n", "deli verify " + table + " by_v --resume BASE:k2");
  }

  @Test
  void loadSkipsAValueThatIsTooLongAndNamesItsLine() {
    String table = indexed("too_long");
    String rows = "id,v\n1,a\n2," + "y".repeat(40_000) + "\n3,b\n";

    Outcome loaded = deli.runWith(rows, "load", table, "--key", "id");

    assertThat(loaded.code()).isEqualTo(3);
    assertThat(loaded.err()).contains("line 3: ", "40000 bytes").doesNotContain("Exception");
    assertThat(loaded.out()).contains("loaded 2 rows").contains("skipped 1 bad line");
    assertThat(deli.run("query", table, "by_v", "--equal", "b").out()).contains("(1 row)");
  }

  @Test
  void loadRefusesAHeaderWithoutTheKeyBeforeAnyRow() {
    String table = table("no_key");

    Outcome refused = deli.runWith("id,v\n1,a\n2,b\n", "load", table, "--key", "nokey");

    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.errors()).hasSize(1);
    assertThat(refused.err()).contains("'nokey'", "id, v");
    Outcome unknown = deli.runWith("id,v\n1,a\n", "load", table, "--key", "id", "--skip", "w");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err()).contains("--skip", "'w'", "id, v");
    Outcome unnamed = deli.runWith("id,\n1,a\n2,b\n", "load", table, "--key", "id");
    assertThat(unnamed.code()).isEqualTo(2);
    assertThat(unnamed.err()).contains("line 1: ", "--columns");
  }

  @Test
  void loadTakesTypesWithAFamilyOrWithout() {
    String table = table("load_types");
    for (String[] names : new String[][] {{"v", "d:v"}, {"d:v", "v"}}) {
      Outcome loaded =
          deli.runWith(
              "id," + names[0] + "\n1,7\n",
              "load",
              table,
              "--key",
              "id",
              "--types",
              names[1] + "=INT");
      assertThat(loaded.code()).as(loaded.err()).isZero();
      assertThat(deli.run("get", table, "1", "--types", "v=INT").out()).contains("7");
    }
    String[] absent = {"load", table, "--key", "d:id"};
    assertThat(deli.runWith("id,v\n1,7\n", absent).code()).isEqualTo(2);
  }

  @Test
  void limitPrintsAContinuationOnlyIfThereAreMoreHits() {
    String table = indexed("limit");
    succeeds("put", table, "k1", "v=a");
    succeeds("put", table, "k2", "v=b");
    succeeds("put", table, "k3", "v=b");

    assertThat(deli.run("query", table, "by_v", "--equal", "a", "--limit", "1").out())
        .contains("(1 row)")
        .doesNotContain("continuation");
    assertThat(deli.run("query", table, "by_v", "--equal", "b", "--limit", "1").out())
        .contains("(1 row)", "continuation: ");
  }

  @Test
  void timesAreShownForPeopleAndAsNumbersOnDemand() {
    String table = indexed("times");
    succeeds("put", table, "k1", "v=a", "--timestamp", "2026-01-31T12:00:00Z");

    assertThat(deli.run("get", table, "k1").out()).containsPattern("2026-01-31T12:00:00Z");
    String[] query = {"query", table, "by_v", "--equal", "a"};
    assertThat(deli.run(query).out()).containsPattern(ISO);
    assertThat(deli.run("get", table, "k1", "--millis").out()).contains("1769860800000");
    assertThat(deli.run("get", table, "k1", "--format", "csv").out()).contains(",1769860800000");
    assertThat(deli.run("get", table, "k1", "--json").out()).contains(": 1769860800000");
  }

  @Test
  void sizesSayThatMemoryIsNotCounted() {
    String table = indexed("sizes");
    succeeds("put", table, "k1", "v=a");

    Outcome stats = deli.run("stats", table);
    assertThat(stats.out()).contains("memory is not counted").containsPattern("\\| +0 MB");
    assertThat(deli.run("stats", table, "--regions").out()).contains("memory is not counted");
  }

  @Test
  void errorsNameWhatAPersonCanType(@TempDir Path directory) throws Exception {
    String table = table("errors");
    succeeds("put", table, "k1", "v=a");

    fails(1, "add --build, or --leave-existing-unindexed", "create-index", table, "by_v", "d:v");
    succeeds("create-index", table, "by_v", "d:v", "--leave-existing-unindexed");
    succeeds("disable-index", table, "by_v");
    fails(1, "or add --leave-existing-unindexed", "enable-index", table, "by_v");
    succeeds("enable-index", table, "by_v", "--leave-existing-unindexed");

    Outcome tooLong = deli.run("put", table, "k2", "v=" + "y".repeat(40_000));
    assertThat(tooLong.code()).isEqualTo(1);
    assertThat(tooLong.err()).doesNotContain("Exception").containsOnlyOnce("by_v");
    fails(2, "'x' is not a valid INT (-2147483648 to 2147483647)", typed(table));

    Path csv = Files.writeString(directory.resolve("rows.csv"), "id,v\n1,a\n");
    fails(2, "it is a directory", "load", table, directory.toString(), "--key", "id");
    succeeds("load", table, csv.toString(), "--key", "id");
  }

  private static String[] typed(String table) {
    return new String[] {"put", table, "k3", "w=x", "--types", "w=INT"};
  }
}
