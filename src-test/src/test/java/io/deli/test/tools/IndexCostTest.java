package io.deli.test.tools;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli.Outcome;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every arm of the experiments on what an index costs does its work, and no table is left. How fast
 * says nothing at this size.
 */
class IndexCostTest {
  private static final String ROWS = "400";

  @TempDir private Path out;

  private record Figure(
      String measure, String x, String arm, double median, double ratio, List<Double> rounds) {}

  private record Printed(String experiment, List<Figure> figures) {}

  @Test
  void measuresWritesAndLookupsOfEveryArm() throws Exception {
    List<Figure> figures =
        Arrays.stream(measured()).flatMap(experiment -> experiment.figures().stream()).toList();

    Map<String, List<String>> arms =
        figures.stream()
            .collect(
                groupingBy(
                    figure -> figure.measure() + ", " + figure.x(),
                    mapping(Figure::arm, toList())));
    List<String> writers = List.of("plain", "deferred", "served", "in-place", "embedded", "next");
    assertThat(arms)
        .containsEntry("single put, 2", writers)
        .containsEntry("batch of 100, 2", writers)
        .containsEntry("lookup, after churn", List.of("deferred", "in-place", "embedded", "next"));
    assertThat(figures)
        .allSatisfy(each -> assertThat(each.median()).isPositive())
        .allSatisfy(each -> assertThat(each.ratio()).isPositive())
        .allSatisfy(each -> assertThat(each.rounds()).hasSize(1));
    assertThat(figures)
        .filteredOn(each -> each.measure().equals("entries") && each.x().equals("after collect"))
        .singleElement()
        .satisfies(entries -> assertThat(entries.median()).isEqualTo(Double.parseDouble(ROWS)));
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      assertThat(admin.listTableNames())
          .noneMatch(table -> table.getNameAsString().startsWith("deli_experiment_"));
    }
  }

  private Printed[] measured() {
    int port =
        MiniCluster.configuration()
            .getInt(HConstants.ZOOKEEPER_CLIENT_PORT, HConstants.DEFAULT_ZOOKEEPER_CLIENT_PORT);
    Cli lab = Cli.lab("--json", "--zookeeper", "localhost:" + port);
    Outcome outcome =
        lab.run(
            "experiment",
            "writes",
            "lookups",
            "--threads",
            "2",
            "--keys",
            ROWS,
            "--warmups",
            "0",
            "--rounds",
            "1",
            "--seconds",
            "1",
            "--out",
            out.toString());
    assertThat(outcome.code()).as(outcome.err()).isZero();
    return new Gson().fromJson(outcome.out(), Printed[].class);
  }
}
