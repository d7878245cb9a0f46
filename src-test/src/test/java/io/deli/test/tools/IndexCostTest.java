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
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every arm of the comparison with peers does its work, none but a client that checks nothing gives
 * wrong answers, and no table is left. How fast says nothing at this size.
 */
class IndexCostTest {
  private static final String ROWS = "400";

  private static final List<String> INDEXED =
      List.of("naive", "naive in-place", "deferred", "served", "in-place", "embedded", "next");

  private static final List<String> WRITERS =
      Stream.concat(Stream.of("plain"), INDEXED.stream()).toList();

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
    assertThat(arms)
        .containsEntry("single put, 2", WRITERS)
        .containsEntry("batch of 100, 2", WRITERS)
        .containsEntry("keys of 2, 4 regions, 2 threads, churned", INDEXED)
        .containsEntry("rows of 2, 4 regions, 2 threads, collected", INDEXED)
        .containsEntry("mix with 10 % lookups, 2 hits, 4 regions, mix", INDEXED);
    assertThat(figures).allSatisfy(each -> assertThat(each.rounds()).hasSize(1));
    assertThat(figures)
        .filteredOn(each -> !each.measure().matches("wrong answers|on disk.*"))
        .allSatisfy(each -> assertThat(each.median()).isPositive())
        .allSatisfy(each -> assertThat(each.ratio()).isPositive());
    assertAnswers(figures);
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      assertThat(admin.listTableNames())
          .noneMatch(table -> table.getNameAsString().startsWith("deli_experiment_"));
    }
  }

  private static void assertAnswers(List<Figure> figures) {
    assertThat(figures)
        .filteredOn(each -> each.measure().equals("wrong answers"))
        .allSatisfy(
            wrong ->
                assertThat(wrong.median() > 0)
                    .as(wrong.toString())
                    .isEqualTo(wrong.arm().equals("naive") && !wrong.x().startsWith("fresh")));
    assertThat(figures)
        .filteredOn(
            each -> each.measure().startsWith("entries") && each.x().startsWith("collected"))
        .filteredOn(each -> !each.arm().equals("naive"))
        .hasSize(4)
        .allSatisfy(each -> assertThat(each.median()).isEqualTo(Double.parseDouble(ROWS)));
  }

  private Printed[] measured() {
    Cli lab = Cli.lab("--json", "--zookeeper", MiniCluster.zooKeeper());
    Outcome outcome =
        lab.run(
            "experiment",
            "peers",
            "--scale",
            "tiny",
            "--set",
            "rows=" + ROWS,
            "--set",
            "seconds=0.15",
            "--out",
            out.toString());
    assertThat(outcome.code()).as(outcome.err()).isZero();
    return new Gson().fromJson(outcome.out(), Printed[].class);
  }
}
