package io.deli.tools.advise;

import io.deli.strategy.Strategies;
import io.deli.strategy.Workload;
import io.deli.tools.Failure;
import io.deli.tools.advise.DecisionTree.Advice;
import io.deli.tools.output.Terminal;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Advice, with the facts it rests on, for people and for programs. */
public final class AdviceReport {
  /** The share of the halves of a sample, from which nothing need be said. */
  private static final double SURE = 0.8;

  private static final List<String> DECISION = List.of("question", "answer", "because", "after");
  private static final List<String> FACT = List.of("fact", "value", "from");
  private static final List<String> COST =
      List.of(
          "strategy",
          "put_writes",
          "put_reads",
          "put_index_bytes",
          "lookup_requests",
          "lookup_blocks",
          "range_blocks",
          "entries",
          "bytes");

  private final Facts facts;
  private final Advice advice;
  private final int halves;
  private final double confidence;

  /**
   * Creates the report of a sample.
   *
   * @throws Failure if it does not carry any
   */
  public AdviceReport(SampledFacts sampled) {
    this.facts = sampled.facts();
    this.halves = sampled.halves().size();
    this.advice = sampled.advice();
    this.confidence = sampled.confidence(advice);
  }

  /** For people. */
  public void print(Terminal terminal) {
    terminal.table(DECISION, decisions());
    terminal.print("");
    terminal.table(FACT, facts());
    terminal.print("");
    terminal.table(COST, costs());
    terminal.print(
        "(for one indexed column; a range has at least %.0f %% of the rows)"
            .formatted(100 * Workload.RANGE));
    terminal.print("");
    terminal.print(
        "advice: --strategy " + advice.strategy() + (advice.byTime() ? " --order BY_TIME" : ""));
    terminal.print(
        halves == 0
            ? "confidence: all rows were read"
            : "confidence: %.0f of %d random halves of the sample lead to the same advice"
                .formatted(confidence * halves, halves));
    if (confidence < SURE) {
      terminal.print("note: The sample does not settle it: raise --sample.");
    }
    advice.notes().forEach(note -> terminal.print("note: " + note));
  }

  /** For programs. */
  public Map<String, ?> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("strategy", advice.strategy());
    document.put("order", advice.byTime() ? "BY_TIME" : "BY_KEY");
    document.put("confidence", confidence);
    document.put("decisions", objects(DECISION, decisions()));
    document.put("facts", objects(FACT, facts()));
    document.put("costs", objects(COST, costs()));
    document.put("notes", advice.notes());
    return document;
  }

  private static List<Map<String, Object>> objects(List<String> columns, List<List<?>> rows) {
    return rows.stream()
        .map(
            row -> {
              Map<String, Object> object = new LinkedHashMap<>();
              IntStream.range(0, row.size()).forEach(c -> object.put(columns.get(c), row.get(c)));
              return object;
            })
        .toList();
  }

  private List<List<?>> decisions() {
    return advice.decisions().stream()
        .<List<?>>map(
            decision ->
                List.of(
                    decision.question(),
                    decision.answer() ? "yes" : "no",
                    decision.because(),
                    decision.after()))
        .toList();
  }

  private List<List<?>> facts() {
    Facts.Table table = facts.table();
    ColumnFacts column = facts.column();
    String sample = "sample of %d rows".formatted(column.rows());
    return List.of(
        fact("rows", table.rows(), table.counted() ? "counted" : "size of the table, sample"),
        fact("row_bytes", table.rowBytes(), sample + ", family of the column"),
        fact("blocks", facts.blocks(), "of %d bytes".formatted(table.blockBytes())),
        fact("files", table.files(), "of a region and family"),
        fact("regions", table.regions(), "of the table"),
        fact("servers", table.servers(), "that have regions of the table"),
        fact("rows_read", table.reads(), "since the regions were opened; a scan counts each row"),
        fact("rows_written", table.writes(), "since the regions were opened"),
        share("writes", facts.writes(), facts.wants().writes(), "of what was counted"),
        share("lookups", facts.wants().lookups(), facts.wants().lookups(), ""),
        share("updates", facts.updates(), facts.wants().updates(), sample + ", at least"),
        fact("values", column.values(), sample),
        fact("distinct_sampled", column.distinct(), sample),
        fact("distinct", facts.distinct(), "estimated from the sample"),
        fact("rows_per_value", facts.rowsPerValue(), "estimated from the sample"),
        fact("time_correlation", column.timeCorrelation(), "rank correlation, " + sample),
        fact(
            "bounds_percent",
            100 * column.boundsShare(),
            "of stretches of the sample whose bounds hold a value"));
  }

  private static List<?> fact(String name, long value, String from) {
    return List.of(name, value, from);
  }

  private static List<?> fact(String name, double value, String from) {
    return List.of(name, figure(value), from);
  }

  private static List<?> share(
      String name, OptionalDouble share, OptionalDouble told, String measured) {
    if (share.isEmpty()) {
      return List.of(name + "_percent", "unknown", "not measured: tell it with --" + name);
    }
    return fact(name + "_percent", 100 * share.getAsDouble(), told.isPresent() ? "told" : measured);
  }

  private List<List<?>> costs() {
    Workload workload = facts.workload();
    return Strategies.all().stream()
        .sorted(Comparator.comparing(strategy -> !strategy.keepsTable()))
        .flatMap(strategy -> strategy.cost(workload).stream())
        .<List<?>>map(
            cost ->
                List.of(
                    cost.strategy(),
                    figure(cost.putWrites()),
                    figure(cost.putReads()),
                    figure(cost.putBytes()),
                    figure(cost.lookupRequests()),
                    figure(cost.lookupBlocks()),
                    figure(cost.rangeBlocks()),
                    figure(cost.entries()),
                    figure(cost.bytes())))
        .toList();
  }

  /** Whole from 100 on, else three digits. */
  private static BigDecimal figure(double value) {
    return Math.abs(value) >= 100
        ? BigDecimal.valueOf(Math.round(value))
        : new BigDecimal(
            new BigDecimal(value, new MathContext(3)).stripTrailingZeros().toPlainString());
  }
}
