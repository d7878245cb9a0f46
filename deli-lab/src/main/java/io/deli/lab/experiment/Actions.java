package io.deli.lab.experiment;

import io.deli.lab.experiment.Meter.Recording;
import io.deli.lab.experiment.Trial.Step.Action;
import io.deli.ycsb.ValueWorkload;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.function.Function;

/** The actions of a spec's steps; each is a key of the step, with its options below. */
final class Actions {
  private static final int LOADERS = 4;
  private static final int LOAD_BATCH = 200;

  private static final Map<String, Function<SpecNode, Action>> ALL = new LinkedHashMap<>();

  static {
    ALL.put("create", node -> Actions::create);
    ALL.put("load", Actions::load);
    ALL.put("run", Actions::run);
    ALL.put("flush", node -> trial -> done(trial.table()::flush));
    ALL.put("settle", node -> trial -> done(trial.table()::settle));
    ALL.put("quiet", node -> trial -> done(trial.lab()::quiet));
    ALL.put("restore", Actions::restore);
    ALL.put("compact", Actions::compact);
    ALL.put("together", Actions::together);
    ALL.put("size", node -> trial -> trial.table().size());
    ALL.put("heap", node -> Actions::heap);
    ALL.put("entries", node -> trial -> hbase(trial).countEntries());
    ALL.put("squares", Actions::squares);
    ALL.put("fill", node -> trial -> done(whole(trial)::fill));
    ALL.put("create index", node -> trial -> done(hbase(trial)::createIndexToBuild));
    ALL.put("drop index", node -> trial -> whole(trial).dropIndex());
    ALL.put("scan", node -> trial -> whole(trial).scan());
    ALL.put("build", Actions::build);
    ALL.put("verify", Actions::verify);
  }

  private Actions() {}

  /** The action of a step, whose other keys stay. */
  static Action of(SpecNode step) {
    List<String> named = step.keys().stream().filter(ALL::containsKey).toList();
    if (named.size() != 1) {
      throw step.wrong(
          "must have one of the keys %s, and has %s".formatted(ALL.keySet(), step.keys()));
    }
    SpecNode options = step.node(named.get(0));
    Action action = ALL.get(named.get(0)).apply(options);
    options.end();
    return action;
  }

  private static Outcome done(Lab.Step step) throws IOException {
    step.run();
    return Outcome.NONE;
  }

  private static Outcome create(Trial trial) throws IOException {
    trial.answers().clear();
    return done(trial.table()::create);
  }

  /** Finds nothing where the server is not known. */
  private static Outcome heap(Trial trial) throws IOException {
    OptionalLong live = trial.table().premises().liveHeap();
    return live.isPresent()
        ? Outcome.found(Map.of("MB of heap", live.getAsLong() / 1e6))
        : Outcome.NONE;
  }

  private static HBaseTable hbase(Trial trial) {
    return (HBaseTable) trial.table();
  }

  private static WholeTable whole(Trial trial) {
    return new WholeTable(hbase(trial));
  }

  /**
   * Inserts all rows, or so many: in {@code files} with a part of the rows each, or with a {@code
   * version} of all of them each. Flushes that make files are timed, too, since it is they that
   * write what some strategies know.
   */
  private static Action load(SpecNode node) {
    int threads = node.count("threads", LOADERS);
    int batch = node.count("batch", LOAD_BATCH);
    int files = node.count("files", 0);
    int versions = node.count("versions", 0);
    long given = node.count("rows", 0);
    Parts parts = Parts.of(node);
    return trial -> {
      trial.lab().tell("filling tables");
      Map<String, String> own = Map.of(Workloads.BATCH, Integer.toString(batch));
      long rows = given == 0 ? Workloads.rows(trial.stage().workload()) : given;
      if (files == 0 && versions == 0) {
        return parts.run(trial, inserts(trial, own, threads, 0, 1), rows);
      }
      Outcome all = Outcome.NONE;
      for (int file = 0; file < Math.max(files, versions); file++) {
        long step = Math.max(1, files);
        long first = files == 0 ? 0 : file;
        all =
            all.then(
                inserts(trial, own, threads, first, step).times((rows - first + step - 1) / step));
        long begun = System.nanoTime();
        trial.table().flush();
        all = all.then(Outcome.of(0, (System.nanoTime() - begun) / 1e9));
      }
      return all;
    };
  }

  private static WorkloadRun inserts(
      Trial trial, Map<String, String> own, int threads, long first, long step) {
    Properties properties = Workloads.properties(trial, own);
    ValueWorkload workload = Workloads.of(properties, first, step, 0);
    return new WorkloadRun(trial, properties, workload, true, threads, OptionalDouble.empty());
  }

  /**
   * Runs a workload's operations, for a time or so many, at a rate or as fast as it goes. {@code
   * reads} is their share, by value where there is an index, else by key; the rest are updates.
   */
  private static Action run(SpecNode node) {
    int threads = node.count("threads", 1);
    double seconds = node.number("seconds", 0);
    long operations = (long) node.number("operations", 0);
    double rate = node.number("rate", 0);
    double reads = node.number("reads", -1);
    int there = node.count("rows at first", 0);
    Map<String, String> own = new HashMap<>(Workloads.checked(node, "workload"));
    own.put(Workloads.BATCH, Integer.toString(node.count("batch", 1)));
    own.put(Workloads.SUFFIX, node.text("suffix", ""));
    Parts parts = Parts.of(node);
    if ((seconds > 0) == (operations > 0)) {
      throw node.wrong("must have one of 'seconds' and 'operations', which is not 0");
    }
    return trial -> {
      Map<String, String> all = new HashMap<>(own);
      if (reads >= 0) {
        String kind = trial.arm().isIndexed() ? "readvalueproportion" : "readproportion";
        all.put(kind, Double.toString(reads));
        all.put("updateproportion", Double.toString(1 - reads));
      }
      Properties properties = Workloads.properties(trial, all);
      WorkloadRun run =
          new WorkloadRun(
              trial,
              properties,
              Workloads.of(
                  properties, 0, 1, there == 0 ? Workloads.rows(trial.stage().workload()) : there),
              false,
              threads,
              rate == 0 ? OptionalDouble.empty() : OptionalDouble.of(rate));
      return operations == 0
          ? run.during(Duration.ofNanos((long) (seconds * 1e9)))
          : parts.run(trial, run, operations);
    };
  }

  /**
   * Operations that are measured in parts, too; x is the share of what is done then, or its number.
   */
  private record Parts(int number, boolean byShare, List<Recording> each, List<Recording> soFar) {
    static Parts of(SpecNode node) {
      return new Parts(
          node.count("parts", 1),
          node.text("part x", "per cent").equals("per cent"),
          Recording.of(node, "each part"),
          Recording.of(node, "so far"));
    }

    Outcome run(Trial trial, WorkloadRun run, long operations) throws IOException {
      Meter whole = Meter.start(trial, soFar);
      Outcome all = Outcome.NONE;
      for (int part = 1; part <= number; part++) {
        long end = part == number ? operations : operations / number * part;
        long begin = operations / number * (part - 1);
        String x = Long.toString(byShare ? 100L * part / number : operations / number * part);
        Meter meter = Meter.start(trial, each);
        Outcome outcome = run.times(end - begin);
        meter.record(each, outcome, x, trial.recorder());
        all = all.then(outcome);
        whole.record(soFar, all, x, trial.recorder());
      }
      return all;
    }
  }

  /** Restores what steps made: the first time by doing them. */
  private static Action restore(SpecNode node) {
    List<Trial.Step> making = Trial.Step.list(node, "of");
    return trial -> {
      if (trial.restorable().add(trial.arm().name())) {
        trial.run(making);
        trial.table().remember();
      } else {
        trial.table().restore();
      }
      trial.lab().quiet();
      return Outcome.NONE;
    };
  }

  /**
   * Compacts the table and, if that is wanted, the tables of its indexes when it is done: with the
   * deletes of entries that it sent.
   */
  private static Action compact(SpecNode node) {
    boolean indexes = node.flag("then indexes");
    return trial -> {
      HBaseTable table = hbase(trial);
      Outcome base = table.compact();
      if (!indexes) {
        return base;
      }
      table.flush();
      return base.then(table.compact(table.entries()));
    };
  }

  private static Action together(SpecNode node) {
    List<Trial.Step> steps = Trial.Step.list(node, "steps");
    return trial -> trial.run(steps);
  }

  private static Action squares(SpecNode node) {
    int hits = node.count("hits", 0);
    double seconds = node.number("seconds", 0);
    Duration time = Duration.ofNanos((long) (seconds * 1e9));
    return trial -> Workers.during(time, 1, thread -> new Places.Squares(hbase(trial), hits));
  }

  private static Action build(SpecNode node) {
    WholeTable.Engine engine =
        node.choice("engine", WholeTable.Engine.class, WholeTable.Engine.THREADS);
    return trial -> whole(trial).build(engine);
  }

  private static Action verify(SpecNode node) {
    boolean bySums = node.flag("by sums");
    return trial -> whole(trial).verify(bySums);
  }
}
