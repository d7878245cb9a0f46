package io.deli.test.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mistakes and surprises of a first hour with the command line, each answered so that it ends. */
class FirstHourTest {
  private static final String ISO = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z";

  private static Cli deli;

  @BeforeAll
  static void connect() {
    int port =
        MiniCluster.configuration()
            .getInt(HConstants.ZOOKEEPER_CLIENT_PORT, HConstants.DEFAULT_ZOOKEEPER_CLIENT_PORT);
    deli = new Cli("--zookeeper", "localhost:" + port);
  }

  private static String table(String name) {
    String table = MiniCluster.uniqueTable(name).getNameAsString();
    assertThat(deli.run("create-table", table, "d").code()).isZero();
    return table;
  }

  private static void succeeds(String... args) {
    Outcome outcome = deli.run(args);
    assertThat(outcome.code()).as(outcome.err()).isZero();
  }

  private static void fails(int code, String message, String... args) {
    Outcome outcome = deli.run(args);
    assertThat(outcome.err()).contains(message).doesNotContain("Exception");
    assertThat(outcome.code()).isEqualTo(code);
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

  private static String[] typed(String table) {
    return new String[] {"put", table, "k3", "w=x", "--types", "w=INT"};
  }
}
