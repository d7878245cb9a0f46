package io.deli.test.ycsb;

import static io.deli.test.ycsb.Records.keys;
import static io.deli.test.ycsb.Records.results;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli;
import io.deli.test.tools.Cli.Outcome;
import io.deli.tools.ExitCode;
import io.deli.ycsb.DeliClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.DBException;

/** YCSB's own client runs the workload, through the command line. */
class YcsbTest {
  private static final List<String> COMMON =
      List.of("-p", "fieldcount=2", "-p", "fieldlength=10", "-p", "recordcount=300");

  @TempDir private Path directory;

  @Test
  void runsRecordsAndReplays() throws Exception {
    String table = MiniCluster.uniqueTable("ycsb").getNameAsString();
    Path loaded = directory.resolve("load.tsv");
    Path ran = directory.resolve("run.tsv");
    recorded("load", table, loaded, "-p", "deli.ycsb.regions=2", "-threads", "4");
    String report =
        recorded(
            "run",
            table,
            ran,
            "-p readproportion=0 -p updateproportion=0.5 -p insertproportion=0.1".split(" "));
    assertThat(report).contains("[READVALUE], Return=OK", "[RANGELOOKUP], Return=OK");
    assertThat(report).contains("[PREFIX], Return=OK", "[READVALUE], 99thPercentileLatency(us)");
    Map<String, Map<String, String>> rows = rows(table);
    assertThat(rows).hasSizeGreaterThan(300);
    assertFoundByValue(table, rows);

    Path all = directory.resolve("all.tsv");
    List<String> lines = new ArrayList<>(Files.readAllLines(loaded));
    lines.addAll(Files.readAllLines(ran));
    Files.write(all, lines);
    assertThat(lines).hasSize(600).anyMatch(line -> line.startsWith("READVALUE\tfield0\t"));
    String again = MiniCluster.uniqueTable("ycsb").getNameAsString();
    String replayed =
        ycsb(
            "run",
            "-p workload=io.deli.ycsb.TraceWorkload -p fieldcount=2 -p deli.ycsb.create=true"
                + " -threads 3 -p table="
                + again
                + " -p trace.file="
                + all);
    assertThat(replayed).contains("[READVALUE], Return=OK");
    assertThat(rows(again)).isEqualTo(rows);
  }

  @Test
  void tellsWhenYcsbFails() {
    Outcome outcome =
        cli().run("ycsb", "run", "-p", "table=absent", "-p", "valuedistribution=none");
    assertThat(outcome.code()).as(outcome.err()).isEqualTo(ExitCode.FAILED);
    assertThat(outcome.err()).contains("valuedistribution=none: use uniform");
    Outcome idle = cli().run("ycsb", "run", "-p", "table=absent", "-p", "operationcount=9");
    assertThat(idle.code()).as(idle.out()).isEqualTo(ExitCode.FAILED);
    assertThat(idle.err()).contains("table absent does not exist", "YCSB did no operation");
    assertThat(cli().run("ycsb", "run", "-P", "absent").code()).isEqualTo(ExitCode.USAGE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"deli.ycsb.batch=2000", "clientbuffering=true"})
  void tellsThatWhatWaitedIsNotWritten(String waiting) throws IOException {
    String table = MiniCluster.uniqueTable("ycsb").getNameAsString();
    ycsb("load", String.join(" ", COMMON) + " -p table=" + table);
    TableName index = IndexDefinitions.indexTable(TableName.valueOf(table), "by_field0");
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.disableTable(index);
      Outcome outcome =
          cli()
              .run(
                  ("ycsb load -p hbase.client.retries.number=1 -p table=%s -p %s "
                              .formatted(table, waiting)
                          + String.join(" ", COMMON))
                      .split(" "));
      admin.enableTable(index);
      assertThat(outcome.code()).as(outcome.out()).isEqualTo(ExitCode.PARTIAL);
      assertThat(outcome.out()).contains("[INSERT], Return=BATCHED_OK", "[CLEANUP], Return=ERROR");
    }
  }

  private String recorded(String phase, String table, Path trace, String... more) {
    List<String> options = new ArrayList<>(COMMON);
    options.addAll(List.of(more));
    return ycsb(
        phase,
        String.join(" ", options)
            + " -p operationcount=300 -p valuecount=30 -p valuedistribution=twitter"
            + " -p readvalueproportion=0.2 -p rangelookupproportion=0.1"
            + " -p prefixlookupproportion=0.1 -p topk=5 -db io.deli.ycsb.RecordingClient -p table="
            + table
            + " -p trace.file="
            + trace);
  }

  private static String ycsb(String phase, String options) {
    List<String> arguments = new ArrayList<>(List.of("ycsb", phase));
    arguments.addAll(List.of(options.split(" ")));
    Outcome outcome = cli().run(arguments.toArray(String[]::new));
    assertThat(outcome.code()).as(outcome.out() + outcome.err()).isEqualTo(ExitCode.OK);
    return outcome.out();
  }

  private static Cli cli() {
    return Cli.lab("--zookeeper", MiniCluster.zooKeeper());
  }

  private static Map<String, Map<String, String>> rows(String table) throws IOException {
    Map<String, Map<String, String>> rows = new TreeMap<>();
    try (Table open = MiniCluster.connection().getTable(TableName.valueOf(table));
        ResultScanner scanner = open.getScanner(new Scan())) {
      for (Result row : scanner) {
        Map<String, String> fields = new TreeMap<>();
        for (Cell cell : row.rawCells()) {
          fields.put(
              Bytes.toString(CellUtil.cloneQualifier(cell)),
              Bytes.toString(CellUtil.cloneValue(cell)));
        }
        rows.put(Bytes.toString(row.getRow()), fields);
      }
    }
    return rows;
  }

  private static void assertFoundByValue(String table, Map<String, Map<String, String>> rows)
      throws DBException {
    Map<String, TreeSet<String>> byValue = new HashMap<>();
    rows.forEach(
        (key, row) ->
            byValue.computeIfAbsent(row.get("field0"), value -> new TreeSet<>()).add(key));
    assertThat(byValue).hasSizeGreaterThan(5);
    DeliClient client = new DeliClient();
    Properties properties = Records.properties();
    properties.setProperty("table", table);
    client.setProperties(properties);
    client.init();
    try {
      byValue.forEach(
          (value, expected) -> {
            var found = results();
            client.find(table, Records.equalTo("field0", value, 0, null), found);
            assertThat(keys(found)).containsExactlyInAnyOrderElementsOf(expected);
          });
    } finally {
      client.cleanup();
    }
  }
}
