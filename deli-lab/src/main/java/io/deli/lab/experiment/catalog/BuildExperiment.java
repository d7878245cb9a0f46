package io.deli.lab.experiment.catalog;

import io.deli.client.BuildOptions;
import io.deli.client.BuildReport;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.ProgressListener;
import io.deli.lab.experiment.Check;
import io.deli.lab.experiment.Claim;
import io.deli.lab.experiment.Experiment;
import io.deli.lab.experiment.Lab;
import io.deli.lab.experiment.Lab.Recorder;
import io.deli.lab.experiment.Plot;
import io.deli.lab.experiment.Results;
import io.deli.lab.experiment.ServerNeeds;
import io.deli.lab.experiment.Size;
import io.deli.tools.files.EntryFiles;
import io.deli.tools.mapreduce.MapReduceEngine;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.mapreduce.MRConfig;

/** Builds of an index of a table that has rows, beside a plain scan of them. */
final class BuildExperiment implements Experiment {
  private static final String SCAN = "scan";
  private static final String THREADS = "threads";
  private static final String FILES = "files";
  private static final String MAPREDUCE = "mapreduce";
  private static final double AIM = 0.3;

  @Override
  public String name() {
    return "build";
  }

  @Override
  public String sentence() {
    return "How fast an index of a table with rows is built, by threads that put entries or write files"
        + " of them, and by Hadoop's local runner, against a plain scan of the table.";
  }

  @Override
  public List<Claim> claims() {
    return List.of(new Claim("no paper", "builds are not measured; the bound is an aim of DELI's"));
  }

  @Override
  public ServerNeeds server(Size size) {
    return ServerNeeds.heap(size.pick(512, 2048, 2048));
  }

  private static int rows(Size size) {
    return size.pick(2_000, 200_000, 1_000_000);
  }

  @Override
  public List<String> arms(Size size) {
    return List.of(SCAN, THREADS, FILES, MAPREDUCE);
  }

  @Override
  public Map<String, String> parameters(Size size) {
    return WholeTable.parameters(
        rows(size),
        Map.of(
            "threads",
            Integer.toString(BuildOptions.DEFAULT.threads()),
            "local runner",
            "as many tasks at once as there are processors"));
  }

  @Override
  public void run(Lab lab) throws IOException {
    WholeTable table =
        new WholeTable(Store.indexed(lab, name(), Pairs.index("deferred")), rows(lab.size()));
    Lab.cleaningUp(
        table::drop,
        () -> {
          try (DeliConnection builder = builder(lab)) {
            lab.rounds(
                "build",
                lab.wanted(arms(lab.size()), Function.identity()),
                Function.identity(),
                table::fill,
                (arm, recorder) -> {
                  if (arm.equals(SCAN)) {
                    table.measure(recorder, table::scan);
                  } else {
                    build(table, arm, builder.getDeliAdmin(), recorder);
                  }
                });
          }
        });
  }

  private static DeliConnection builder(Lab lab) throws IOException {
    Configuration conf = WholeTable.configuration(lab);
    conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
    return DeliConnection.wrap(ConnectionFactory.createConnection(conf));
  }

  /** Measures a build of an index, which is dropped then. */
  private static void build(WholeTable table, String arm, DeliAdmin builder, Recorder recorder)
      throws IOException {
    TableName name = table.store().table();
    Lab lab = table.store().lab();
    table.createIndex();
    lab.quiet();
    lab.tell("building");
    table.measure(
        recorder,
        () -> {
          BuildReport report =
              arm.equals(MAPREDUCE)
                  ? builder.build(name, Pairs.INDEX, new MapReduceEngine(), ProgressListener.NONE)
                  : builder.build(name, Pairs.INDEX, options(arm), ProgressListener.NONE);
          table.requireAll(report.entries());
          return report.reading().toNanos() / 1e9;
        });
    lab.deliAdmin().dropIndex(name, Pairs.INDEX);
  }

  private static BuildOptions options(String arm) {
    return arm.equals(FILES)
        ? BuildOptions.DEFAULT.withWriter(new EntryFiles())
        : BuildOptions.DEFAULT;
  }

  @Override
  public List<Plot> plots() {
    return List.of(
        Plot.groups("rate", "Rows that are read, and entered in an index", WholeTable.RATE, ""),
        Plot.groups("cpu", "CPU time for a row", WholeTable.CPU, "process"));
  }

  @Override
  public List<Check> checks(Results results) {
    return List.of(
        fastEnough(results, THREADS), fastEnough(results, FILES), fastEnough(results, MAPREDUCE));
  }

  private static Check fastEnough(Results results, String arm) {
    return Check.atLeast(
        "rows a second: %s / scan (aim)".formatted(arm),
        results.ratio(WholeTable.RATE, "", arm, SCAN),
        AIM);
  }
}
