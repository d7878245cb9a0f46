package io.deli.lab.experiment.catalog;

import io.deli.client.BuildOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.ProgressListener;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.lab.experiment.Check;
import io.deli.lab.experiment.Claim;
import io.deli.lab.experiment.Experiment;
import io.deli.lab.experiment.Lab;
import io.deli.lab.experiment.Lab.Recorder;
import io.deli.lab.experiment.Plot;
import io.deli.lab.experiment.Results;
import io.deli.lab.experiment.ServerCounters;
import io.deli.lab.experiment.ServerNeeds;
import io.deli.lab.experiment.Size;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** Verifications of an index in order, beside a plain scan of its table. */
final class VerifyExperiment implements Experiment {
  private static final String BLOCKS = "blocks";
  private static final String SCAN = "scan";
  private static final String FULL = "full";
  private static final String CHECKSUM = "checksum";

  @Override
  public String name() {
    return "verify";
  }

  @Override
  public String sentence() {
    return "How fast an index in order is compared with its table, in both directions or by sums,"
        + " against a plain scan of the table.";
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "no paper",
            "verifications are not measured; the bounds are what was expected of DELI"));
  }

  @Override
  public ServerNeeds server(Size size) {
    return ServerNeeds.heap(size.pick(512, 2048, 2048));
  }

  private static int rows(Size size) {
    return size.pick(1_000, 100_000, 500_000);
  }

  @Override
  public List<String> arms(Size size) {
    return List.of(SCAN, FULL, CHECKSUM);
  }

  @Override
  public Map<String, String> parameters(Size size) {
    return WholeTable.parameters(
        rows(size), Map.of("files", "one a region, of which the block cache has nothing"));
  }

  @Override
  public void run(Lab lab) throws IOException {
    Store store = Store.indexed(lab, name(), Pairs.index("deferred"));
    WholeTable table = new WholeTable(store, rows(lab.size()));
    Lab.cleaningUp(
        table::drop,
        () ->
            lab.rounds(
                "verify",
                lab.wanted(arms(lab.size()), Function.identity()),
                Function.identity(),
                () -> build(table),
                (arm, recorder) -> measure(table, arm, recorder)));
  }

  private static void build(WholeTable table) throws IOException {
    Store store = table.store();
    table.fill();
    table.createIndex();
    try (DeliConnection builder =
        DeliConnection.wrap(
            ConnectionFactory.createConnection(WholeTable.configuration(store.lab())))) {
      builder
          .getDeliAdmin()
          .build(store.table(), Pairs.INDEX, BuildOptions.DEFAULT, ProgressListener.NONE);
    }
    store.flush();
  }

  private static void measure(WholeTable table, String arm, Recorder recorder) throws IOException {
    Lab lab = table.store().lab();
    ServerCounters before = ServerCounters.of(lab.plain());
    table.measure(recorder, arm.equals(SCAN) ? table::scan : () -> verify(table, arm));
    long blocks = ServerCounters.of(lab.plain()).since(before).blocks();
    recorder.add(BLOCKS, "", "blocks/row", (double) blocks / table.rows());
  }

  private static double verify(WholeTable table, String arm) throws IOException {
    Store store = table.store();
    VerifyOptions options =
        arm.equals(CHECKSUM) ? VerifyOptions.DEFAULT.withSums() : VerifyOptions.DEFAULT;
    DeliAdmin admin = store.lab().deli().getDeliAdmin();
    long begun = System.nanoTime();
    VerifyReport report = admin.verify(store.table(), Pairs.INDEX, options, ProgressListener.NONE);
    double seconds = (System.nanoTime() - begun) / 1e9;
    table.requireAll(report.versions());
    table.requireAll(report.entries());
    if (!report.found().isEmpty()) {
      throw new IOException("an index in order seems damaged: " + report);
    }
    return seconds;
  }

  @Override
  public List<Plot> plots() {
    return List.of(
        Plot.groups("rate", "Rows that are read, and verified", WholeTable.RATE, "")
            .onLogarithmicScale(),
        Plot.groups("cpu", "CPU time for a row", WholeTable.CPU, "process").onLogarithmicScale());
  }

  @Override
  public List<Check> checks(Results results) {
    return List.of(
        notTooLong(results, FULL, 150),
        notTooLong(results, CHECKSUM, 4),
        Check.atMost(
            "blocks a row: full (one in the index, one in the table)",
            results.median(BLOCKS, "", FULL),
            2.1));
  }

  private static Check notTooLong(Results results, String arm, double bound) {
    return Check.atMost(
        "time: %s / scan (as expected)".formatted(arm),
        1 / results.ratio(WholeTable.RATE, "", arm, SCAN),
        bound);
  }
}
