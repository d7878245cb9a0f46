package io.deli.lab.experiment;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.lab.experiment.Results.Measurement;
import io.deli.lab.measure.Rounds;
import io.deli.tools.Failure;
import io.deli.tools.output.Progress;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The means by which an experiment measures, and the record of its measurements. Not thread-safe.
 */
public final class Lab {
  /** The prefix of the names of all tables of experiments. */
  public static final String TABLES = "deli_experiment_";

  private final Connections connections;
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

  /**
   * The extent of measuring.
   *
   * @param warmups rounds ahead that do not count
   * @param arms those that are wanted; all if empty
   */
  public record Effort(Size size, int warmups, int rounds, Set<String> arms) {
    public Effort {
      arms = Set.copyOf(arms);
    }

    /**
     * Checks that those that are wanted are among these.
     *
     * @throws Failure if one is not
     */
    public void requireArms(List<String> there) {
      List<String> missing = arms.stream().filter(arm -> !there.contains(arm)).sorted().toList();
      if (!missing.isEmpty()) {
        throw Failure.usage(
            "the experiment has no arm %s: choose from %s"
                .formatted(String.join(", ", missing), String.join(", ", there)));
      }
    }
  }

  /** Measures one arm once. */
  @FunctionalInterface
  public interface Measuring<A> {
    void run(A arm, Recorder recorder) throws IOException;
  }

  /** Takes what a trial measured. */
  @FunctionalInterface
  public interface Recorder {
    void add(String measure, String x, String unit, double value);
  }

  /** Something to do. */
  @FunctionalInterface
  public interface Step {
    void run() throws IOException;
  }

  /**
   * A lab.
   *
   * @param premises of HBase
   * @param database to compare with, if the experiment does and there is one
   * @param cold the disk to measure on, if the operating system's cache is not to count
   */
  Lab(
      Connections connections,
      Premises premises,
      Optional<Database> database,
      Optional<ColdDisk> cold,
      Effort effort,
      Journal journal,
      Progress progress) {
    this.connections = connections;
    this.premises = premises;
    this.database = database;
    this.cold = cold;
    this.effort = effort;
    this.journal = journal;
    this.progress = progress;
  }

  /** Does something, then cleans up; if both fail, it is the first that is thrown. */
  @SuppressWarnings("try") // What is closed is not used.
  public static void cleaningUp(Step cleanup, Step work) throws IOException {
    try (Closeable end = cleanup::run) {
      work.run();
    }
  }

  /** To measure with: a connection of HBase's own. */
  public Connection plain() {
    return connections.plain();
  }

  /** To measure with: it shares no sockets with the plain one. */
  public DeliConnection deli() {
    return connections.deli();
  }

  /** For what is not measured: it notices at once when something is done. */
  public Admin admin() throws IOException {
    return connections.administration().getAdmin();
  }

  /** For what is not measured: it notices at once when something is done. */
  public DeliAdmin deliAdmin() throws IOException {
    return DeliAdmin.of(connections.administration());
  }

  /** The directory of HBase's files, if that is known. */
  public Optional<Path> files() {
    return premises.files();
  }

  /** The bytes that HBase had to have read from the disk so far, if that is known. */
  public OptionalLong bytesFromDisk() throws IOException {
    return premises.bytesFromDisk();
  }

  /** The CPU time that HBase's process took so far, if that is known. */
  public Optional<Duration> serverCpu() {
    return premises.cpu();
  }

  /** To compare with, if the experiment does and there is one. */
  public Optional<Database> database() {
    return database;
  }

  /** Tells a person what is being done within a trial. */
  public void tell(String doing) {
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
  public void quiet() throws IOException {
    tell("waiting for flushes and compactions");
    if (!Quiet.await(connections.administration(), TABLES)) {
      progress.note(
          "the region servers do not come to the end of their compactions: it goes on meanwhile");
    }
    if (cold.isPresent()) {
      cold.get().settle();
    }
  }

  /**
   * Selects the arms that are wanted.
   *
   * @throws Failure if one is wanted that is not there, naming those there are
   */
  public <A> List<A> wanted(List<A> arms, Function<? super A, String> name) {
    effort.requireArms(arms.stream().<String>map(name).toList());
    return arms.stream()
        .filter(arm -> effort.arms().isEmpty() || effort.arms().contains(name.apply(arm)))
        .toList();
  }

  /**
   * Measures arms in interleaved rounds, those trials that are not in the journal, each when the
   * servers have done what the one before left them to do.
   *
   * @param newStage names these trials within the experiment
   * @param preparation runs once, unless all trials are there
   */
  public <A> void rounds(
      String newStage,
      List<A> arms,
      Function<? super A, String> name,
      Step preparation,
      Measuring<A> measuring)
      throws IOException {
    List<A> open = arms.stream().filter(arm -> !isComplete(newStage, name.apply(arm))).toList();
    if (open.isEmpty()) {
      return;
    }
    stage = newStage;
    total = (effort.warmups() + effort.rounds()) * open.size();
    done = 0;
    trial = "preparation";
    tell("filling tables");
    preparation.run();
    Rounds.interleaved(
        effort.warmups(),
        effort.rounds(),
        open,
        (arm, round) -> {
          trial = name.apply(arm) + (round < 0 ? ", warm-up" : "");
          run(round, arm, name.apply(arm), measuring);
          done++;
        });
    stage = "";
    progress.close();
  }

  private boolean isComplete(String which, String arm) {
    for (int round = 0; round < effort.rounds(); round++) {
      if (!journal.has(which, round, arm)) {
        return false;
      }
    }
    return true;
  }

  private <A> void run(int round, A arm, String name, Measuring<A> measuring) throws IOException {
    if (round >= 0 && journal.has(stage, round, name)) {
      return;
    }
    quiet();
    List<Measurement> taken = new ArrayList<>();
    Recorder recorder =
        (measure, x, unit, value) -> {
          taken.add(new Measurement(stage, round, name, measure, x, unit, value));
          tell(x.isEmpty() ? measure : measure + ", " + x);
        };
    if (cold.isPresent()) {
      cold.get().during(premises, () -> measuring.run(arm, recorder));
    } else {
      measuring.run(arm, recorder);
    }
    if (round >= 0) {
      journal.add(taken);
    }
  }
}
