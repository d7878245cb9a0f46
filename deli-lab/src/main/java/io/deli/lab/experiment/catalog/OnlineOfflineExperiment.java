package io.deli.lab.experiment.catalog;

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
import io.deli.lab.measure.Workers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Table;

/** Updates and the compaction that follows them, taken together. */
record OnlineOfflineExperiment(Cache cache) implements Experiment {
  private static final String TIME = "time";
  private static final String BLOCKS = "blocks from files";
  private static final String ONLINE = "online";
  private static final String OFFLINE = "offline";
  private static final String TOTAL = "total";
  private static final String PLAIN = StoreContender.PLAIN;
  private static final String DEFERRED = StoreContender.DEFERRED;
  private static final String IN_PLACE = StoreContender.IN_PLACE;
  private static final int THREADS = 8;

  @Override
  public String name() {
    return cache.name("online-offline");
  }

  @Override
  public String sentence() {
    return cache.sentence(
        "Updates and the compaction after them, with DELI's index and one updated in place (DELI,"
            + " Table II)");
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "DELI, Table II",
            "1,553 s against 4,619 s in all; 1,094 against 4,340 online, 459 against 279 for the"
                + " compaction. DELI reads no block online, update in place 252,964; the compactions"
                + " read 60,699 and 60,698."));
  }

  @Override
  public ServerNeeds server(Size size) {
    return cache.server(size);
  }

  @Override
  public boolean isBeyondCache() {
    return cache == Cache.HOLDS_LITTLE;
  }

  private static int rows(Size size) {
    return size.pick(1_500, 60_000, 600_000);
  }

  @Override
  public List<String> arms(Size size) {
    return List.of(PLAIN, DEFERRED, IN_PLACE);
  }

  @Override
  public Map<String, String> parameters(Size size) {
    return Map.of(
        "rows", Integer.toString(rows(size)),
        "updates", Integer.toString(rows(size)),
        "files before them", Integer.toString(cache.files(size)),
        "writers", Integer.toString(THREADS));
  }

  @Override
  public void run(Lab lab) throws IOException {
    Pairs pairs = new Pairs(rows(lab.size()));
    List<Store> stores =
        lab.wanted(
            Store.plainAnd(lab, name(), Pairs::index, DEFERRED, IN_PLACE).stream()
                .map(Store::keepingFiles)
                .toList(),
            Store::arm);
    Lab.cleaningUp(
        () -> Store.dropAll(stores),
        () -> {
          lab.rounds(
              "all",
              stores,
              Store::arm,
              () -> {},
              (store, recorder) -> {
                store.create(Pairs.FAMILY);
                pairs.fillParts(store, cache.files(lab.size()));
                lab.quiet();
                measure(store, pairs, DiskReads.from(cache, lab), recorder);
              });
        });
  }

  private static void measure(Store store, Pairs pairs, DiskReads reads, Recorder recorder)
      throws IOException {
    ServerCounters start = ServerCounters.of(store.lab().plain());
    double online = update(store, pairs);
    store.flush();
    reads.record(recorder, ONLINE);
    ServerCounters between = ServerCounters.of(store.lab().plain());
    double offline = MajorCompaction.seconds(store.lab().plain(), store.table());
    reads.record(recorder, TOTAL);
    ServerCounters end = ServerCounters.of(store.lab().plain());
    add(recorder, ONLINE, online, between.since(start));
    add(recorder, OFFLINE, offline, end.since(between));
    add(recorder, TOTAL, online + offline, end.since(start));
  }

  private static void add(Recorder recorder, String part, double seconds, ServerCounters counted) {
    recorder.add(TIME, part, "s", seconds);
    recorder.add(BLOCKS, part, "blocks", (double) counted.blocksFromFiles());
  }

  /** As many updates as there are rows; returns the seconds that they took. */
  private static double update(Store store, Pairs pairs) throws IOException {
    AtomicInteger left = new AtomicInteger(pairs.rows());
    return Workers.toTheEnd(
            THREADS,
            thread -> {
              Table table = store.open();
              return Workers.closing(
                  table,
                  random -> {
                    if (left.getAndDecrement() <= 0) {
                      return 0;
                    }
                    table.put(pairs.update(random));
                    return 1;
                  });
            })
        .seconds();
  }

  @Override
  public List<Plot> plots() {
    return List.of(
        Plot.groups("time", "Updates, and the compaction after them", TIME, "part"),
        Plot.groups("blocks", "Blocks that they read", BLOCKS, "part"));
  }

  @Override
  public List<Check> checks(Results results) {
    double total = results.ratio(TIME, TOTAL, DEFERRED, IN_PLACE);
    List<Check> checks = new ArrayList<>();
    checks.add(Check.atMost("time in all: deferred / in-place", total, 0.34));
    if (cache == Cache.HOLDS_LITTLE) {
      checks.add(Check.atMost("time in all: deferred / in-place (aim)", total, 0.4));
    }
    checks.addAll(partChecks(results));
    return checks;
  }

  private static List<Check> partChecks(Results results) {
    return List.of(
        Check.atMost(
            "time online: deferred / in-place",
            results.ratio(TIME, ONLINE, DEFERRED, IN_PLACE),
            0.25),
        Check.atMost(
            "time of the compaction: deferred / in-place",
            results.ratio(TIME, OFFLINE, DEFERRED, IN_PLACE),
            1.65),
        Check.atMost("blocks online: deferred", results.median(BLOCKS, ONLINE, DEFERRED), 0),
        Check.atMost(
            "blocks of the compaction: deferred / in-place",
            results.ratio(BLOCKS, OFFLINE, DEFERRED, IN_PLACE),
            1.01));
  }
}
