package io.deli.lab.bench;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.ProgressListener;
import io.deli.lab.measure.Figure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;

/** The benchmarks, on a cluster that is up. Each leaves no table behind. */
public final class Benchmark {
  private static final int BATCH = 100;
  private static final int LOOKUP_THREADS = 8;
  private static final double CHURN = 4.4;

  private final Connection plain;
  private final DeliConnection deli;
  private final Scale scale;
  private final Consumer<String> log;

  /**
   * @param plain a connection of HBase's own
   * @param deli a DELI connection, on a plain one of its own so that neither shares sockets
   * @param log hears what is going on, a line at a time
   */
  public Benchmark(Connection plain, DeliConnection deli, Scale scale, Consumer<String> log) {
    this.plain = plain;
    this.deli = deli;
    this.scale = scale;
    this.log = log;
  }

  /** Updates per second of all arms, by so many threads, one at a time and in batches of 100. */
  public List<Figure> writes(List<Integer> numbersOfThreads) throws IOException {
    List<Arm> arms =
        List.of(
            PlainArm.unindexed(plain),
            new DeferredArm(deli),
            PlainArm.served(plain),
            new InPlaceArm(plain));
    List<Figure> figures = new ArrayList<>();
    for (int batch : new int[] {1, BATCH}) {
      for (int threads : numbersOfThreads) {
        figures.addAll(writes(arms, batch, threads));
      }
    }
    return figures;
  }

  /** On tables of their own: what one measurement leaves in memory must not slow the next. */
  private List<Figure> writes(List<Arm> arms, int batch, int threads) throws IOException {
    BenchTables tables = prepare(arms);
    String experiment = (batch == 1 ? "single put" : "batch of " + batch) + ", threads: " + threads;
    log.accept(experiment);
    List<Figure> figures =
        Figures.measured(
            experiment,
            "rows/s",
            arms,
            scale,
            arm ->
                Load.rate(
                    arm,
                    threads,
                    scale.seconds(),
                    (session, random) -> update(session, random, batch)));
    tables.drop();
    return figures;
  }

  /**
   * Lookups per second on a fresh index, after churn, and after collection; index sizes. Fresh and
   * collected indexes are both in one file a region, so that nothing but their contents differs.
   */
  public List<Figure> lookups() throws IOException {
    List<Arm> arms = List.of(new DeferredArm(deli), new InPlaceArm(plain));
    BenchTables tables = prepare(arms);
    log.accept("compacting");
    tables.compact();
    List<Figure> figures = new ArrayList<>(lookups("lookup, fresh index", arms));
    figures.add(entries("entries, fresh"));

    log.accept("churn: " + CHURN + " updates a row");
    SplittableRandom random = new SplittableRandom(7);
    for (double left = CHURN; left > 0; left--) {
      int keys = (int) (scale.keys() * Math.min(1, left));
      int[] values = random.ints(keys, 0, scale.values()).toArray();
      for (Arm arm : arms) {
        Load.fill(arm, keys, key -> values[key]);
      }
    }
    figures.addAll(lookups("lookup, after churn", arms));
    figures.add(entries("entries, after churn"));

    log.accept("collecting");
    tables.compact();
    figures.addAll(lookups("lookup, after collect", arms));
    figures.add(entries("entries, after collect"));
    tables.drop();
    return figures;
  }

  /** Seconds of a major compaction of the base table with and without DELI. */
  public List<Figure> compactions() throws IOException {
    return new CompactionBench(plain, deli, scale, log).run();
  }

  private BenchTables prepare(List<Arm> arms) throws IOException {
    log.accept("creating and filling tables of " + scale.keys() + " rows");
    BenchTables tables = new BenchTables(plain, scale);
    tables.create();
    for (Arm arm : arms) {
      Load.fill(arm, scale.keys(), key -> key / Scale.ROWS_PER_VALUE);
    }
    return tables;
  }

  private int update(Arm.Session session, SplittableRandom random, int batch) throws IOException {
    List<Put> puts = new ArrayList<>(batch);
    for (int i = 0; i < batch; i++) {
      puts.add(BenchTables.put(random.nextInt(scale.keys()), random.nextInt(scale.values())));
    }
    session.write(puts);
    return batch;
  }

  private List<Figure> lookups(String experiment, List<Arm> arms) throws IOException {
    log.accept(experiment);
    return Figures.measured(
        experiment,
        "lookups/s",
        arms,
        scale,
        arm ->
            Load.rate(
                arm,
                LOOKUP_THREADS,
                scale.seconds(),
                (session, random) -> {
                  session.lookup(BenchTables.value(random.nextInt(scale.values())));
                  return 1;
                }));
  }

  private Figure entries(String experiment) throws IOException {
    long entries =
        DeliAdmin.of(plain)
            .statistics(BenchTables.DEFERRED, BenchTables.INDEX, 0, ProgressListener.NONE)
            .entries();
    return new Figure(experiment, "deferred", "entries", List.of((double) entries));
  }
}
