package io.deli.lab.experiment.catalog;

import io.deli.lab.experiment.Check;
import io.deli.lab.experiment.Claim;
import io.deli.lab.experiment.Experiment;
import io.deli.lab.experiment.Lab;
import io.deli.lab.experiment.Lab.Recorder;
import io.deli.lab.experiment.Plot;
import io.deli.lab.experiment.Results;
import io.deli.lab.experiment.ServerNeeds;
import io.deli.lab.experiment.Size;
import io.deli.lab.measure.MajorCompaction;
import io.deli.lab.measure.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;

/** What a compaction is worth to a Get, on plain HBase: the observation that DELI starts from. */
final class CompactionGetExperiment implements Experiment {
  private static final String GET = "Get";
  private static final String BEFORE = "before";
  private static final String AFTER = "after";
  private static final String SAME_ROWS = "same rows in all files";
  private static final String OTHER_ROWS = "other rows in each file";
  private static final int FILES = 8;

  /** The paper's. */
  private static final double SPEEDUP = 7;

  @Override
  public String name() {
    return "compaction-get";
  }

  @Override
  public String sentence() {
    return "Gets before and after a major compaction of " + FILES + " files (DELI, Figure 1).";
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim("DELI, Figure 1", "A Get is more than 7 times as fast after a compaction."));
  }

  @Override
  public ServerNeeds server(Size size) {
    return Pairs.server(size);
  }

  @Override
  public boolean isBeyondCache() {
    return true;
  }

  private static int rows(Size size) {
    return size.pick(1_000, 50_000, 300_000);
  }

  private static Duration time(Size size) {
    return Duration.ofMillis(size.pick(50, 5_000, 20_000));
  }

  @Override
  public List<String> arms(Size size) {
    return List.of(SAME_ROWS, OTHER_ROWS);
  }

  @Override
  public Map<String, String> parameters(Size size) {
    return Map.of(
        "rows", Integer.toString(rows(size)),
        "files", Integer.toString(FILES),
        "reader", "1, for " + time(size).toMillis() + " ms a measurement");
  }

  @Override
  public void run(Lab lab) throws IOException {
    Pairs pairs = new Pairs(rows(lab.size()));
    Store same = Store.plain(lab, name()).with(SAME_ROWS).keepingFiles();
    Store other = Store.plain(lab, name()).with(OTHER_ROWS).keepingFiles();
    List<Store> stores = lab.wanted(List.of(same, other), Store::arm);
    Lab.cleaningUp(
        () -> Store.dropAll(stores),
        () -> {
          lab.rounds(
              "get",
              stores,
              Store::arm,
              () -> {},
              (store, recorder) -> {
                store.create(Pairs.FAMILY);
                if (store.arm().equals(SAME_ROWS)) {
                  pairs.fillVersions(store, FILES);
                } else {
                  pairs.fillParts(store, FILES);
                }
                lab.quiet();
                get(store, pairs, BEFORE, recorder);
                MajorCompaction.seconds(lab.plain(), store.table());
                get(store, pairs, AFTER, recorder);
              });
        });
  }

  private static void get(Store store, Pairs pairs, String when, Recorder recorder)
      throws IOException {
    Measured.operation(
        store.lab(),
        recorder,
        GET,
        when,
        time(store.lab().size()),
        thread -> {
          Table table = store.open();
          return Workers.closing(
              table,
              random -> {
                table.get(new Get(Pairs.key(random.nextInt(pairs.rows()))));
                return 1;
              });
        });
  }

  @Override
  public List<Plot> plots() {
    String when = "the compaction";
    return List.of(
        Plot.groups("latency", "Gets before and after a compaction", Measured.latency(GET), when),
        Plot.groups("blocks", "Blocks that a Get looks into", Measured.blocks(GET), when));
  }

  @Override
  public List<Check> checks(Results results) {
    return List.of(
        faster(results, Measured.latency(GET), "time", SAME_ROWS),
        faster(results, Measured.latency(GET), "time", OTHER_ROWS),
        faster(results, Measured.blocks(GET), "blocks", SAME_ROWS));
  }

  private static Check faster(Results results, String measure, String what, String arm) {
    return Check.atLeast(
        "%s of a Get, %s: before / after".formatted(what, arm),
        results.median(measure, BEFORE, arm) / results.median(measure, AFTER, arm),
        SPEEDUP);
  }
}
