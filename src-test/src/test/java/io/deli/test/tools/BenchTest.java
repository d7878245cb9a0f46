package io.deli.test.tools;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.lab.measure.Figure;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli.Outcome;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.junit.jupiter.api.Test;

/** Every arm does its work, and no table is left. How fast says nothing at this size. */
class BenchTest {
  private static final String KEYS = "400";

  @Test
  void measuresWritesAndLookupsOfEveryArm() throws Exception {
    List<Figure> figures = bench("writes", "lookups", "--threads", "2");

    Map<String, List<String>> arms =
        figures.stream().collect(groupingBy(Figure::experiment, mapping(Figure::arm, toList())));
    List<String> writers = List.of("plain", "deferred", "served", "in-place");
    assertThat(arms)
        .containsEntry("single put, threads: 2", writers)
        .containsEntry("batch of 100, threads: 2", writers)
        .containsEntry("lookup, after churn", List.of("deferred", "in-place"));
    assertThat(figures).allSatisfy(each -> assertThat(each.median()).isPositive());
    assertThat(figures)
        .filteredOn(each -> each.experiment().equals("entries, after collect"))
        .singleElement()
        .satisfies(entries -> assertThat(entries.median()).isEqualTo(Double.parseDouble(KEYS)));
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      assertThat(admin.listTableNames())
          .noneMatch(table -> table.getNameAsString().startsWith("deli_bench_"));
    }
  }

  private static List<Figure> bench(String... arguments) {
    int port =
        MiniCluster.configuration()
            .getInt(HConstants.ZOOKEEPER_CLIENT_PORT, HConstants.DEFAULT_ZOOKEEPER_CLIENT_PORT);
    Cli deli =
        Cli.lab(
            "--keys",
            KEYS,
            "--warmups",
            "0",
            "--rounds",
            "1",
            "--seconds",
            "1",
            "--json",
            "--zookeeper",
            "localhost:" + port);
    String[] command = new String[arguments.length + 1];
    command[0] = "bench";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    Outcome outcome = deli.run(command);
    assertThat(outcome.code()).as(outcome.err()).isZero();
    return List.of(new Gson().fromJson(outcome.out(), Figure[].class));
  }
}
