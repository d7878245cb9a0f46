package io.deli.lab.experiment;

import static org.apache.hadoop.hbase.Size.Unit.MEGABYTE;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.lab.cluster.Await;
import io.deli.lab.experiment.Experiment.Arm;
import io.deli.lab.experiment.OwnHBase.Premises;
import io.deli.lab.experiment.Results.Measurement;
import io.deli.service.Flush;
import io.deli.tools.output.Progress;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;

/**
 * The means by which an experiment measures, and the record of its measurements. Not thread-safe.
 */
public final class Lab implements AutoCloseable {
  static final String TABLES = "deli_experiment_";

  private static final int IMPATIENT_MILLIS = 10;
  private static final Duration QUIET = Duration.ofMinutes(1);

  /** Files of a table below regions and families; no one that is being written, nor others. */
  private static final String STORE_FILES = "data/%s/%s/*/[^.]*/*";

  private final Connection plain;
  private final DeliConnection deli;
  private final DeliConnection administration;
  private final Admin admin;
  private final Premises premises;
  private final Optional<Database> database;
  private final Optional<ColdDisk> cold;
  private final Effort effort;
  private final Journal journal;
  private final Progress progress;

  /** The stage under way, and how far it is; empty if none is. */
  private String stage = "";

  private String trial = "";
  private int done;
  private int total;

  /** The extent of measuring, in stages whose names have one of these parts, or in all. */
  public record Effort(Size size, int warmups, int rounds, Set<String> stages) {
    private boolean includes(String stage) {
      return stages.isEmpty() || stages.stream().anyMatch(stage::contains);
    }
  }

  @FunctionalInterface
  interface Measuring {
    void run(Arm arm, Recorder recorder) throws IOException;
  }

  @FunctionalInterface
  interface Recorder {
    void add(String measure, String x, String unit, double value);
  }

  @FunctionalInterface
  interface Step {
    void run() throws IOException;
  }

  /** A lab with connections of its own to HBase, none of which shares sockets with another. */
  Lab(
      Configuration hbase,
      Premises premises,
      Optional<Database> database,
      Optional<ColdDisk> cold,
      Effort effort,
      Journal journal,
      Progress progress)
      throws IOException {
    this.premises = premises;
    this.database = database;
    this.cold = cold;
    this.effort = effort;
    this.journal = journal;
    this.progress = progress;
    Configuration impatient = new Configuration(hbase);
    impatient.setInt(HConstants.HBASE_CLIENT_PAUSE, IMPATIENT_MILLIS);
    plain = ConnectionFactory.createConnection(hbase);
    deli = DeliConnection.wrap(ConnectionFactory.createConnection(hbase));
    administration = DeliConnection.wrap(ConnectionFactory.createConnection(impatient));
    admin = administration.getAdmin();
  }

  @Override
  public void close() throws IOException {
    try (plain;
        deli;
        administration) {
      admin.close();
    }
  }

  /** Does something, then cleans up; if both fail, it is the first that is thrown. */
  @SuppressWarnings("try") // What is closed is not used.
  static void cleaningUp(Step cleanup, Step work) throws IOException {
    try (Closeable end = cleanup::run) {
      work.run();
    }
  }

  Connection plain() {
    return plain;
  }

  DeliConnection deli() {
    return deli;
  }

  /** For what is not measured: it notices at once when something is done. */
  Admin admin() {
    return admin;
  }

  DeliAdmin deliAdmin() throws IOException {
    return DeliAdmin.of(administration);
  }

  Premises premises() {
    return premises;
  }

  Optional<Database> database() {
    return database;
  }

  void tell(String doing) {
    if (!stage.isEmpty()) {
      progress.detail(trial + ": " + doing);
      progress.progress(stage, done, total);
    }
  }

  /**
   * Returns when the servers have done what they still had to do of what came before: flushes and
   * compactions, so that they do not fall into what is measured next. If the operating system's
   * cache is to be dropped, it is empty then.
   */
  void quiet() throws IOException {
    tell("waiting for flushes and compactions");
    flush();
    // A compaction counts as under way from the moment the server accepted it.
    if (!Await.until(
        QUIET,
        () -> tables(region -> region.getCompactionState() != CompactionState.NONE).isEmpty())) {
      progress.note(
          "the region servers do not come to the end of their compactions: it goes on meanwhile");
    }
    cold.ifPresent(ColdDisk::settle);
  }

  /** Has the experiments' tables in files, but for less than a megabyte of each region. */
  void flush() throws IOException {
    if (!Await.until(
        QUIET,
        () -> {
          Set<TableName> left = tables(region -> region.getMemStoreSize().get(MEGABYTE) >= 1);
          for (TableName table : left) {
            Flush.table(admin, table);
          }
          return left.isEmpty();
        })) {
      progress.note(
          "the region servers do not come to the end of their flushes: it goes on meanwhile");
    }
  }

  /**
   * The experiments' tables with such regions, as the servers see them now: what the master knows
   * is some seconds old.
   */
  private Set<TableName> tables(Predicate<RegionMetrics> wanted) throws IOException {
    Set<TableName> tables = new HashSet<>();
    for (ServerName server : admin.getRegionServers()) {
      admin.getRegionMetrics(server).stream()
          .filter(wanted)
          .map(region -> RegionInfo.getTable(region.getRegionName()))
          .filter(table -> table.getNameAsString().startsWith(TABLES))
          .forEach(tables::add);
    }
    return tables;
  }

  /**
   * The size of a table's files as soon as they are as many as are in use, for those that a
   * compaction made needless stay for a while. Where they are out of sight it is what region
   * servers report, in whole megabytes.
   */
  double megabytes(TableName table) throws IOException {
    if (premises.files().isEmpty()) {
      return reported(table, region -> region.getStoreFileSize().get(MEGABYTE));
    }
    Path root = new Path(premises.files().get().toUri());
    FileSystem disk = root.getFileSystem(plain.getConfiguration());
    Path all =
        new Path(
            root,
            STORE_FILES.formatted(table.getNamespaceAsString(), table.getQualifierAsString()));
    List<FileStatus> files = new ArrayList<>();
    Await.Condition<IOException> areInUse =
        () -> {
          files.clear();
          files.addAll(List.of(disk.globStatus(all, StoreFileInfo::isHFile)));
          return files.size() == reported(table, RegionMetrics::getStoreFileCount);
        };
    if (!Await.until(QUIET, areInUse)) {
      throw new IOException("%s keeps files that %s does not use".formatted(root, table));
    }
    return files.stream().mapToLong(FileStatus::getLen).sum() / 1e6;
  }

  /** Fails if a region has more than one file: HBase reports a compaction that failed as over. */
  void requireCompacted(TableName table) throws IOException {
    double left = reported(table, region -> region.getStoreFileCount() > 1 ? 1 : 0);
    if (left > 0) {
      throw new IOException(
          "%.0f regions of %s were not compacted: see the logs of region servers"
              .formatted(left, table));
    }
  }

  private double reported(TableName table, ToDoubleFunction<RegionMetrics> value)
      throws IOException {
    double sum = 0;
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(server, table)) {
        sum += value.applyAsDouble(region);
      }
    }
    return sum;
  }

  /**
   * Measures arms in interleaved rounds, those trials that are not in the journal, each when the
   * servers have done what the one before left them to do. The preparation runs once, unless all
   * trials are there.
   */
  void rounds(String newStage, List<Arm> arms, Step preparation, Measuring measuring)
      throws IOException {
    List<Arm> open = arms.stream().filter(arm -> !isComplete(newStage, arm)).toList();
    if (open.isEmpty() || !effort.includes(newStage)) {
      return;
    }
    stage = newStage;
    total = (effort.warmups() + effort.rounds()) * open.size();
    done = 0;
    trial = "preparation";
    tell("filling tables");
    preparation.run();
    interleaved(
        effort.warmups(),
        effort.rounds(),
        open,
        (arm, round) -> {
          trial = arm.name() + (round < 0 ? ", warm-up" : "");
          run(round, arm, measuring);
          done++;
        });
    stage = "";
    progress.close();
  }

  private boolean isComplete(String which, Arm arm) {
    return IntStream.range(0, effort.rounds())
        .allMatch(round -> journal.has(which, round, arm.name()));
  }

  private void run(int round, Arm arm, Measuring measuring) throws IOException {
    if (round >= 0 && journal.has(stage, round, arm.name())) {
      return;
    }
    quiet();
    List<Measurement> taken = new ArrayList<>();
    Recorder recorder =
        (measure, x, unit, value) -> {
          taken.add(new Measurement(stage, round, arm.name(), measure, x, unit, value));
          tell(x.isEmpty() ? measure : measure + ", " + x);
        };
    if (cold.isPresent()) {
      cold.get().during(premises.process(), () -> measuring.run(arm, recorder));
    } else {
      measuring.run(arm, recorder);
    }
    if (round >= 0) {
      journal.add(taken);
    }
  }

  @FunctionalInterface
  interface Measure<A> {
    /** Measures; in negative rounds compilers and caches warm up, and nothing counts. */
    void run(A arm, int round) throws IOException;
  }

  /**
   * Runs the rounds, the warm-up rounds first; round 0 in the order in which the arms are given.
   */
  static <A> void interleaved(int warmups, int rounds, List<? extends A> arms, Measure<A> measure)
      throws IOException {
    for (int round = -warmups; round < rounds; round++) {
      for (A arm : ordered(arms, round)) {
        measure.run(arm, round);
      }
    }
  }

  /**
   * The order of a round: a row of a balanced Latin square (E. J. Williams, 1949). In twice as many
   * rounds as there are arms each is twice at each place, and follows each other equally often.
   */
  static <A> List<A> ordered(List<? extends A> arms, int round) {
    int count = arms.size();
    List<A> order = new ArrayList<>(count);
    for (int place = 0; place < count; place++) {
      order.add(arms.get(placeOf(Math.floorMod(symbolAt(place, count) + round, count), count)));
    }
    if (count % 2 == 1 && round % 2 != 0) {
      Collections.reverse(order);
    }
    return order;
  }

  /** The square's first row: 0, 1, count - 1, 2, count - 2 and so on. */
  private static int symbolAt(int place, int count) {
    return place % 2 == 1 ? (place + 1) / 2 : (count - place / 2) % count;
  }

  private static int placeOf(int symbol, int count) {
    return symbol <= count / 2 ? Math.max(0, 2 * symbol - 1) : 2 * (count - symbol);
  }
}
