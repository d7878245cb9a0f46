package io.deli.lab.experiment;

import io.deli.index.EntryOrder;
import io.deli.index.ValueType;
import io.deli.lab.experiment.Expectation.Check;
import io.deli.lab.experiment.OwnHBase.ServerNeeds;
import io.deli.strategy.Strategies;
import io.deli.tools.Failure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.io.compress.Compression;

/**
 * One experiment of a paper, or several that share their data, at one size: what its spec file
 * says.
 *
 * @param sentence what it shows
 * @param server the HBase that it wants if it gets one of its own
 * @param isBeyondCache whether its data is more than the servers' cache holds, in which case it is
 *     to be read
 * @param parameters all that its figures depend on, beyond rounds and warm-ups, for its report
 * @param ratios whether the report tells what each figure is of the first arm's
 * @param comparesDatabase whether one of its arms, wanted or not, is a relational database
 * @param layout of the tables of its arms
 * @param workload YCSB's properties, for all stages
 */
public record Experiment(
    String name,
    String sentence,
    List<Claim> claims,
    ServerNeeds server,
    boolean isBeyondCache,
    Map<String, String> parameters,
    boolean ratios,
    boolean comparesDatabase,
    Layout layout,
    Map<String, String> workload,
    List<Arm> arms,
    List<Stage> stages,
    List<Plot> plots) {
  /** In the order in which they run: those that want the same HBase together. */
  private static final List<String> NAMES =
      List.of(
          """
          strategies strategies-by-time compression mixed row-sizes next-mixed memory
          bits-per-key next next-two long-keys churn compaction-get gc write-only-beyond-cache
          read-write-beyond-cache online-offline-beyond-cache write-only read-write
          online-offline build verify peers compactions large-file"""
              .split("\\s", -1));

  /** The key of those {@code checks} that are of no paper. */
  private static final String AIMS = "aims";

  public static List<String> names() {
    return NAMES;
  }

  public static List<Experiment> all(Size size) {
    return NAMES.stream().map(name -> named(name, size, Map.of(), Set.of())).toList();
  }

  /**
   * An experiment by its name; fails if there is none, or none of its parameters or arms is called
   * so.
   *
   * @param arms those that are wanted; all of the size if empty
   */
  public static Experiment named(
      String name, Size size, Map<String, String> parameters, Set<String> arms) {
    if (!NAMES.contains(name)) {
      throw Failure.usage(
          "there is no experiment '%s': choose from %s".formatted(name, String.join(", ", NAMES)));
    }
    return read(name, size, parameters, arms);
  }

  static Experiment read(String name, Size size, Map<String, String> parameters, Set<String> arms) {
    return of(name, size, arms, SpecFile.read(name, size, parameters));
  }

  /**
   * A figure of a paper, and the checks that it comes to here.
   *
   * @param source such as {@code DELI, Figure 7a}
   */
  record Claim(String source, String found, List<Expectation> expectations) {
    List<Check> checks(Results results) {
      return expectations.stream().map(each -> each.check(results)).toList();
    }
  }

  /** The keeper of an arm's index: DELI in clients or servers, or a peer. */
  enum Keeper {
    CLIENT,
    SERVER,
    /** The application, by an index table that is nothing to HBase but one more table. */
    HAND,
    DATABASE,
    /** Takes part only if it is asked for, since the servers then run with its settings. */
    PHOENIX
  }

  /**
   * One side of a comparison: a table of its own, unless the experiment's is shared.
   *
   * @param strategy of its index, by the words of its keeper; {@code plain} if it has none
   * @param places whether the table's places are indexed, too, if it has any
   * @param buckets of the index table; 1 if its rows have no salt
   * @param compression of the table's files, and of its indexes' tables'
   */
  record Arm(
      String name,
      String strategy,
      Keeper keeper,
      boolean places,
      int buckets,
      Compression.Algorithm compression,
      Map<String, String> settings) {
    static final String PLAIN = "plain";

    boolean isIndexed() {
      return !strategy.equals(PLAIN);
    }

    boolean isDeli() {
      return keeper == Keeper.CLIENT || keeper == Keeper.SERVER;
    }

    private static Arm of(SpecNode list) {
      String name = list.keys().get(0);
      SpecNode node = list.node(name);
      Arm arm =
          new Arm(
              name,
              node.text("strategy", name),
              node.choice("kept by", Keeper.class, Keeper.CLIENT),
              !node.flag("without places"),
              node.count("buckets", 1),
              node.choice("compression", Compression.Algorithm.class, Compression.Algorithm.NONE),
              node.map("table"));
      node.end();
      list.end();
      if (arm.isIndexed() && arm.isDeli() && Strategies.find(arm.strategy).isEmpty()) {
        throw node.wrong("there is no strategy '%s'".formatted(arm.strategy));
      }
      for (String key : arm.settings.keySet()) {
        if (Strategies.settings().stream().noneMatch(setting -> setting.key().equals(key))) {
          throw node.wrong("there is no setting '%s'".formatted(key));
        }
      }
      return arm;
    }
  }

  /**
   * The layout of the tables.
   *
   * @param keepsFiles whether files are compacted when the experiment wants it only
   * @param valued whether rows are indexed by value; if not, by their places only
   * @param shared whether all arms do something with one and the same table
   */
  record Layout(
      ValueType type,
      EntryOrder order,
      int regions,
      boolean keepsFiles,
      boolean valued,
      boolean shared,
      boolean places) {
    private static final Layout DEFAULT =
        new Layout(ValueType.STRING, EntryOrder.BY_KEY, 1, false, true, false, false);

    private static Layout of(SpecNode node, Layout otherwise) {
      Layout layout =
          new Layout(
              node.choice("type", ValueType.class, otherwise.type),
              node.choice("order", EntryOrder.class, otherwise.order),
              node.count("regions", otherwise.regions),
              node.flag("keep files") || otherwise.keepsFiles,
              !node.flag("without values") && otherwise.valued,
              node.flag("shared") || otherwise.shared,
              node.flag("places") || otherwise.places);
      node.end();
      return layout;
    }
  }

  /**
   * Trials of arms in rounds, for which the table of each is prepared once.
   *
   * @param after the stage whose trials leave the tables that this one begins with; empty if none
   * @param layout of the tables: that of the stage before, else the experiment's, but for what is
   *     its own; and so the workload
   */
  record Stage(
      String name,
      List<String> arms,
      String after,
      Layout layout,
      Map<String, String> workload,
      List<Trial.Step> prepare,
      List<Trial.Step> trial) {}

  /** An experiment as its spec says, with the wanted arms, or else those of the size. */
  static Experiment of(String name, Size size, Set<String> wanted, SpecNode node) {
    List<Arm> all = node.nodes("arms").stream().map(Arm::of).toList();
    node.requireNamed(
        Set.of("only", "except", "without", "arms at tiny"), all.stream().map(Arm::name).toList());
    Set<String> few = Set.copyOf(node.texts("arms at tiny"));
    Set<String> chosen = wanted.isEmpty() && size == Size.TINY ? few : wanted;
    List<Arm> arms =
        chosen.isEmpty()
            ? all.stream().filter(arm -> arm.keeper != Keeper.PHOENIX).toList()
            : chosen(all, chosen);
    Map<String, String> parameters = parameters(node);
    Experiment experiment =
        new Experiment(
            name,
            node.text("shows"),
            claims(node),
            server(
                node.node("server"), arms.stream().anyMatch(arm -> arm.keeper == Keeper.PHOENIX)),
            node.flag("beyond cache"),
            parameters,
            node.flag("ratios"),
            all.stream().anyMatch(arm -> arm.keeper == Keeper.DATABASE),
            Layout.of(node.node("tables"), Layout.DEFAULT),
            Workloads.checked(node, "workload"),
            arms,
            new ArrayList<>(),
            node.nodes("plots").stream().map(Plot::of).toList());
    for (SpecNode stage : node.nodes("stages")) {
      experiment.stages.add(experiment.stage(stage));
    }
    node.end();
    return experiment;
  }

  /** Chooses arms; where some are called after their strategies, any strategy is one, too. */
  private static List<Arm> chosen(List<Arm> all, Set<String> names) {
    List<Arm> there = new ArrayList<>(all);
    if (all.stream().anyMatch(arm -> arm.name().equals(arm.strategy()))) {
      Strategies.names().stream()
          .filter(strategy -> all.stream().noneMatch(arm -> arm.name().equals(strategy)))
          .map(strategy -> Arm.of(SpecNode.of("arm", Map.of(strategy, Map.of()))))
          .forEach(there::add);
    }
    List<String> known = there.stream().map(Arm::name).toList();
    List<String> missing = names.stream().filter(name -> !known.contains(name)).sorted().toList();
    if (!missing.isEmpty()) {
      throw Failure.usage(
          "the experiment has no arm %s: choose from %s"
              .formatted(String.join(", ", missing), String.join(", ", known)));
    }
    there.removeIf(arm -> !names.contains(arm.name()));
    return List.copyOf(there);
  }

  private static Map<String, String> parameters(SpecNode node) {
    Map<String, String> all = new LinkedHashMap<>();
    SpecNode parameters = node.node("parameters");
    for (String key : parameters.keys()) {
      all.put(key, text(parameters.raw(key)));
    }
    all.putAll(node.map("notes"));
    return all;
  }

  static String text(Object value) {
    return value instanceof List<?> list
        ? list.stream().map(Experiment::text).collect(Collectors.joining(", "))
        : String.valueOf(value);
  }

  /** The papers' claims, and DELI's own aims. */
  private static List<Claim> claims(SpecNode node) {
    SpecNode checks = node.node("checks");
    List<Claim> claims = new ArrayList<>();
    for (SpecNode claim : node.nodes("claims")) {
      String source = claim.keys().get(0);
      claims.add(claim(source, claim.text(source), checks));
    }
    if (checks.has(AIMS)) {
      claims.add(claim(AIMS, "DELI's own.", checks));
    }
    checks.end();
    return claims;
  }

  private static Claim claim(String source, String found, SpecNode checks) {
    List<Expectation> own = checks.nodes(source).stream().map(Expectation::of).toList();
    if (own.isEmpty()) {
      throw checks.wrong("claim '%s' has no check".formatted(source));
    }
    return new Claim(source, found, own);
  }

  private static ServerNeeds server(SpecNode node, boolean phoenix) {
    int heap = node.count("heap", 512);
    Map<String, String> settings = new TreeMap<>();
    if (node.has("block cache")) {
      double share = (double) node.count("block cache", 0) / heap;
      settings.put("hfile.block.cache.size", Double.toString(share));
    }
    settings.putAll(node.map("settings"));
    settings.putAll(phoenix ? PhoenixTable.serverSettings() : Map.of());
    node.end();
    return new ServerNeeds(heap, settings);
  }

  private Stage stage(SpecNode node) {
    String after = node.text("after", "");
    Optional<Stage> before = stage(after);
    if (!after.isEmpty() && before.isEmpty()) {
      throw node.wrong("there is no stage '%s'".formatted(after));
    }
    List<String> without = node.texts("without");
    Map<String, String> properties = new TreeMap<>(before.map(Stage::workload).orElse(workload));
    properties.putAll(Workloads.checked(node, "workload"));
    Stage stage =
        new Stage(
            node.text("stage"),
            armNames().stream().filter(arm -> !without.contains(arm)).toList(),
            after,
            Layout.of(node.node("tables"), before.map(Stage::layout).orElse(layout)),
            properties,
            Trial.Step.list(node, "prepare"),
            Trial.Step.list(node, "trial"));
    node.end();
    return stage;
  }

  public List<String> armNames() {
    return arms.stream().map(Arm::name).toList();
  }

  Optional<Stage> stage(String stage) {
    return stages.stream().filter(each -> each.name().equals(stage)).findFirst();
  }
}
