package io.deli.lab.experiment.catalog;

import io.deli.config.DeliSettings;
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
import io.deli.lab.measure.MajorCompaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Major compactions of three files, in every mode of garbage collection. */
final class GcExperiment implements Experiment {
  private static final String TIME = "compaction time";
  private static final String BLOCKS = "blocks from files";
  private static final String SINGLE = "single version";
  private static final String MULTI = "3 versions";
  private static final String IDEAL = "ideal";
  private static final String OFF = "off";
  private static final String BEFORE = "before";
  private static final String STAGED = "staged";
  private static final String STREAMING = "streaming";
  private static final int FILES = 3;

  @Override
  public String name() {
    return "gc";
  }

  @Override
  public String sentence() {
    return "What collecting the index's garbage adds to a compaction, by its mode (DELI, Figure 9).";
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "DELI, Figure 9a",
            "A repair before the compaction takes longest, then the staged one, then the streaming"
                + " one, which with a single version takes about as long as a compaction without"
                + " any (ideal). Three versions take much longer than one (here: twice at least), for the deletes."),
        new Claim(
            "DELI, Figure 9b",
            "Before and staged read about as many blocks, twice as many as streaming and ideal."));
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
    return size.pick(1_500, 60_000, 600_000);
  }

  @Override
  public List<String> arms(Size size) {
    return size == Size.TINY
        ? List.of(IDEAL, BEFORE, STREAMING)
        : List.of(IDEAL, OFF, BEFORE, STAGED, STREAMING);
  }

  @Override
  public Map<String, String> parameters(Size size) {
    return Map.of(
        "rows", Integer.toString(rows(size)),
        "files", Integer.toString(FILES),
        "ideal", "plain HBase; off: DELI's files, nothing collected");
  }

  @Override
  public void run(Lab lab) throws IOException {
    Pairs pairs = new Pairs(rows(lab.size()));
    List<Store> all = new ArrayList<>();
    all.add(Store.plain(lab, name()).with(IDEAL).keepingFiles());
    for (String mode : List.of(OFF, BEFORE, STAGED, STREAMING)) {
      all.add(
          Store.indexed(lab, name(), Pairs.index("deferred"))
              .with(mode, DeliSettings.GC_MODE.key(), mode)
              .keepingFiles());
    }
    List<Store> stores = lab.wanted(this, all, Store::arm);
    Lab.cleaningUp(
        () -> Store.dropAll(stores),
        () -> {
          lab.rounds(
              "compaction",
              stores,
              Store::arm,
              () -> {},
              (store, recorder) -> {
                store.create(Pairs.FAMILY);
                pairs.fillParts(store, FILES);
                compact(store, SINGLE, recorder);
                store.create(Pairs.FAMILY);
                pairs.fillVersions(store, FILES);
                compact(store, MULTI, recorder);
              });
        });
  }

  private static void compact(Store store, String versions, Recorder recorder) throws IOException {
    store.lab().quiet();
    ServerCounters before = ServerCounters.of(store.lab().plain());
    recorder.add(TIME, versions, "s", MajorCompaction.seconds(store.lab().plain(), store.table()));
    recorder.add(
        BLOCKS,
        versions,
        "blocks",
        (double) ServerCounters.of(store.lab().plain()).since(before).blocksFromFiles());
  }

  @Override
  public List<Plot> plots() {
    String data = "data";
    return List.of(
        Plot.groups("time", "Major compaction of the base table", TIME, data),
        Plot.groups("blocks", "Blocks that it reads", BLOCKS, data));
  }

  @Override
  public List<Check> checks(Results results) {
    List<Check> checks = new ArrayList<>();
    for (String versions : List.of(SINGLE, MULTI)) {
      checks.add(order(results, versions, BEFORE, STAGED));
      checks.add(order(results, versions, STAGED, STREAMING));
    }
    checks.add(
        Check.atMost(
            "time, single version: streaming / ideal (paper: about the same; aim)",
            time(results, SINGLE, STREAMING, IDEAL),
            1.1));
    checks.add(
        Check.atMost(
            "time, 3 versions: streaming / ideal (aim)",
            time(results, MULTI, STREAMING, IDEAL),
            1.5));
    checks.add(
        Check.atMost(
            "time, 3 versions: streaming / staged (aim)",
            time(results, MULTI, STREAMING, STAGED),
            0.7));
    checks.add(
        Check.atLeast(
            "time, streaming: 3 versions / single",
            results.median(TIME, MULTI, STREAMING) / results.median(TIME, SINGLE, STREAMING),
            2));
    checks.add(Check.atMost("blocks: streaming / ideal", blocks(results, STREAMING, IDEAL), 1.05));
    checks.add(
        Check.atLeast("blocks: staged / streaming", blocks(results, STAGED, STREAMING), 1.9));
    checks.add(
        Check.atLeast("blocks: before / streaming", blocks(results, BEFORE, STREAMING), 1.9));
    return checks;
  }

  private static Check order(Results results, String versions, String slow, String fast) {
    return Check.atLeast(
        "time, %s: %s / %s".formatted(versions, slow, fast),
        time(results, versions, slow, fast),
        1);
  }

  private static double time(Results results, String versions, String arm, String other) {
    return results.ratio(TIME, versions, arm, other);
  }

  private static double blocks(Results results, String arm, String other) {
    return results.ratio(BLOCKS, SINGLE, arm, other);
  }
}
