package io.deli.lab.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A figure of a step that is recorded: {@code MEASURE @ X: QUANTITY [UNIT]} in a spec, where X is
 * the step's and the unit the quantity's unless they are given.
 *
 * @param quantity one that {@link Meter} knows
 */
record Recording(String measure, Optional<String> x, String quantity, String unit) {
  private static final Pattern MEASURE = Pattern.compile("(.+?)(?: @ (.+))?");
  private static final Pattern QUANTITY = Pattern.compile("(.+?)(?: \\[(.+)])?");

  /**
   * The recordings of a step: {@code operation: NAME} is short for latency and blocks of one,
   * {@code throughput: NAME} for throughput and latency.
   */
  static List<Recording> of(SpecNode node) {
    List<Recording> all = new ArrayList<>();
    node.optional("throughput")
        .ifPresent(
            name -> {
              all.add(of(node, name + " throughput", "rate"));
              addLatency(all, node, name);
            });
    node.optional("operation")
        .ifPresent(
            name -> {
              addLatency(all, node, name);
              all.add(of(node, name + " blocks", "blocks/operation"));
              all.add(of(node, name + " blocks from files", "blocks from files/operation"));
            });
    all.addAll(of(node, "record"));
    return all;
  }

  private static void addLatency(List<Recording> all, SpecNode node, String name) {
    all.add(of(node, name + " latency", "mean"));
    all.add(of(node, name + " latency, 99 %", "99 %"));
  }

  static List<Recording> of(SpecNode node, String key) {
    return node.map(key).entrySet().stream()
        .map((Map.Entry<String, String> each) -> of(node, each.getKey(), each.getValue()))
        .toList();
  }

  private static Recording of(SpecNode node, String key, String value) {
    Matcher measure = MEASURE.matcher(key);
    Matcher quantity = QUANTITY.matcher(value);
    if (!measure.matches() || !quantity.matches()) {
      throw node.wrong("'%s: %s' says nothing".formatted(key, value));
    }
    String unit =
        Meter.unit(quantity.group(1))
            .orElseThrow(
                () ->
                    node.wrong(
                        "there is no quantity '%s': choose from %s"
                            .formatted(quantity.group(1), Meter.names())));
    return new Recording(
        measure.group(1),
        Optional.ofNullable(measure.group(2)),
        quantity.group(1),
        Optional.ofNullable(quantity.group(2)).orElse(unit));
  }
}
