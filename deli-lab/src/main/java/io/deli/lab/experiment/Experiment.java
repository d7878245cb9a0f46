package io.deli.lab.experiment;

import io.deli.config.DeliSettings;
import io.deli.index.EntryOrder;
import io.deli.index.ValueType;
import io.deli.strategy.Strategies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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
    Layout layout,
    Map<String, String> workload,
    List<Arm> arms,
    List<Stage> stages,
    List<Plot> plots,
    List<Expectation> expectations) {

  /**
   * A finding of a paper.
   *
   * @param source paper and figure
   * @param found in our words, with the paper's numbers
   */
  public record Claim(String source, String found) {}

  /**
   * One side of a comparison: a table of its own, unless the experiment's is shared.
   *
   * @param strategy of its index; {@code plain} if it has none
   * @param settings of the table's descriptor
   * @param places whether the table's places are indexed, too, if it has any
   */
  record Arm(
      String name,
      String strategy,
      boolean servers,
      boolean database,
      boolean places,
      Map<String, String> settings) {
    static final String PLAIN = "plain";

    boolean isIndexed() {
      return !strategy.equals(PLAIN);
    }

    private static Arm of(SpecNode list) {
      String name = list.keys().get(0);
      SpecNode node = list.node(name);
      Arm arm =
          new Arm(
              name,
              node.text("strategy", name),
              node.flag("maintained by servers"),
              node.flag("database"),
              !node.flag("without places"),
              node.map("table"));
      node.end();
      list.end();
      if (arm.isIndexed() && !arm.database && Strategies.find(arm.strategy).isEmpty()) {
        throw node.wrong("there is no strategy '%s'".formatted(arm.strategy));
      }
      for (String key : arm.settings.keySet()) {
        if (DeliSettings.all().stream().noneMatch(setting -> setting.key().equals(key))) {
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
   * @param shared whether all arms do something with one and the same table
   * @param places whether there is an indexed place in each row
   */
  record Layout(
      ValueType type,
      EntryOrder order,
      int regions,
      boolean keepsFiles,
      boolean shared,
      boolean places) {}

  /**
   * Trials of arms in rounds.
   *
   * @param arms that take part
   * @param after the stage whose trials leave the tables that this one begins with; empty if none
   * @param prepare what is done once with the table of each arm
   * @param trial what is done with it in each round
   */
  record Stage(
      String name,
      List<String> arms,
      String after,
      Map<String, String> workload,
      List<TrialStep> prepare,
      List<TrialStep> trial) {}

  static Experiment of(String name, Size size, SpecNode node) {
    List<Arm> arms = node.nodes("arms").stream().map(Arm::of).toList();
    node.requireNamed(
        Set.of("only", "except", "without", "arms at tiny"), arms.stream().map(Arm::name).toList());
    List<String> few = node.texts("arms at tiny");
    if (size == Size.TINY && !few.isEmpty()) {
      arms = arms.stream().filter(arm -> few.contains(arm.name())).toList();
    }
    List<String> names = arms.stream().map(Arm::name).toList();
    Map<String, String> parameters = parameters(node);
    Experiment experiment =
        new Experiment(
            name,
            node.text("shows"),
            node.nodes("claims").stream().map(Experiment::claim).toList(),
            server(node.node("server")),
            node.flag("beyond cache"),
            parameters,
            node.flag("ratios"),
            layout(node.node("tables")),
            Workloads.checked(node, "workload"),
            arms,
            node.nodes("stages").stream().map(stage -> stage(stage, names)).toList(),
            node.nodes("plots").stream().map(Plot::of).toList(),
            node.nodes("checks").stream().map(Expectation::of).toList());
    node.end();
    for (Stage stage : experiment.stages) {
      if (!stage.after.isEmpty() && experiment.stage(stage.after).isEmpty()) {
        throw node.wrong("there is no stage '%s'".formatted(stage.after));
      }
    }
    return experiment;
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

  /** A value of a spec, for a person. */
  static String text(Object value) {
    return value instanceof List<?> list
        ? list.stream().map(Experiment::text).collect(Collectors.joining(", "))
        : String.valueOf(value);
  }

  private static Claim claim(SpecNode node) {
    String source = node.keys().get(0);
    return new Claim(source, node.text(source));
  }

  private static ServerNeeds server(SpecNode node) {
    ServerNeeds needs = ServerNeeds.heap(node.count("heap", 512));
    if (node.has("block cache")) {
      needs = needs.withBlockCache(node.count("block cache", 0));
    }
    for (Map.Entry<String, String> setting : node.map("settings").entrySet()) {
      needs = needs.with(setting.getKey(), setting.getValue());
    }
    node.end();
    return needs;
  }

  private static Layout layout(SpecNode node) {
    Layout layout =
        new Layout(
            node.choice("type", ValueType.class, ValueType.STRING),
            node.choice("order", EntryOrder.class, EntryOrder.BY_KEY),
            node.count("regions", 1),
            node.flag("keep files"),
            node.flag("shared"),
            node.flag("places"));
    node.end();
    return layout;
  }

  private static Stage stage(SpecNode node, List<String> names) {
    List<String> without = node.texts("without");
    Stage stage =
        new Stage(
            node.text("stage"),
            names.stream().filter(arm -> !without.contains(arm)).toList(),
            node.text("after", ""),
            Workloads.checked(node, "workload"),
            TrialStep.list(node, "prepare"),
            TrialStep.list(node, "trial"));
    node.end();
    return stage;
  }

  /** Whether a relational database is one of its arms, if there is one. */
  public boolean comparesDatabase() {
    return arms.stream().anyMatch(Arm::database);
  }

  /** The names of its arms. */
  public List<String> armNames() {
    return arms.stream().map(Arm::name).toList();
  }

  Optional<Stage> stage(String stage) {
    return stages.stream().filter(each -> each.name().equals(stage)).findFirst();
  }

  /** Whether what the papers say holds here. */
  public List<Check> checks(Results results) {
    List<Check> checks = new ArrayList<>();
    expectations.forEach(each -> checks.add(each.check(results)));
    return checks;
  }

  /** Measures; leaves no table behind. */
  void run(Lab lab) throws IOException {
    new Interpreter(this, lab).run();
  }
}
