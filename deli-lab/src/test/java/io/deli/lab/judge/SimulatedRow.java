package io.deli.lab.judge;

import io.deli.lab.judge.RowOperation.Test;
import io.deli.lab.judge.Step.Addition;
import io.deli.lab.judge.Step.Extension;
import io.deli.lab.judge.Step.Removal;
import io.deli.lab.judge.Step.Scope;
import io.deli.lab.judge.Step.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Clients that call an atomic row, and what they are told: each call takes effect at one moment
 * between its begin and its end. Written without regard to {@link RowModel}.
 */
final class SimulatedRow {
  static final String ROW = "row";
  private static final int LONGEST = 40;

  private final Random random;
  private final int clients;
  private final boolean failures;
  private final Map<String, String> values = new HashMap<>();
  private int writes;

  /** A call before it is known what comes of it. */
  private record Call(long begun, long effect, long ended, boolean fails) {}

  /**
   * @param failures whether some calls fail, some of which take effect later
   */
  SimulatedRow(Random random, int clients, boolean failures) {
    this.random = random;
    this.clients = clients;
    this.failures = failures;
  }

  List<RowOperation> run(int count) {
    List<Call> calls = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      long now = random.nextInt(LONGEST);
      for (int i = 0; i < count / clients; i++) {
        calls.add(call(now));
        now = calls.get(calls.size() - 1).ended() + 1 + random.nextInt(LONGEST);
      }
    }
    calls.sort(Comparator.comparingLong(Call::effect));
    List<RowOperation> history = new ArrayList<>();
    for (Call call : calls) {
      boolean lost = call.fails() && random.nextBoolean();
      Map<String, String> before = new HashMap<>(values);
      RowOperation operation = operation(new Span(call.begun(), call.ended()));
      if (lost) {
        values.clear();
        values.putAll(before);
      }
      if (!call.fails()) {
        history.add(operation);
      } else if (!operation.steps().isEmpty()) {
        history.add(operation.failed());
      }
    }
    return history;
  }

  private Call call(long begun) {
    long length = random.nextInt(LONGEST);
    boolean fails = failures && random.nextInt(12) == 0;
    long effect = begun + random.nextInt((int) length + 1);
    return new Call(
        begun, fails ? effect + random.nextInt(10 * LONGEST) : effect, begun + length, fails);
  }

  private RowOperation operation(Span span) {
    String column = random.nextBoolean() ? "a" : "b";
    String value = "v" + writes++;
    return switch (random.nextInt(9)) {
      case 0, 1 -> {
        values.put(column, value);
        yield RowOperation.write(ROW, span, new Write(Map.of(column, value)));
      }
      case 2 -> {
        values.put("a", value);
        values.remove("b");
        yield RowOperation.write(
            ROW, span, new Write(Map.of("a", value)), new Removal(Scope.ALL, Set.of("b"), ""));
      }
      case 3 -> {
        values.clear();
        yield RowOperation.write(ROW, span, new Removal(Scope.ALL, Set.of(), ""));
      }
      case 4 -> conditional(span, column, value);
      case 5 -> {
        values.merge("n", "1", (n, one) -> Long.toString(Long.parseLong(n) + 1));
        yield RowOperation.write(ROW, span, new Addition("n", 1))
            .telling(Map.of("n", Optional.of(values.get("n"))));
      }
      case 6 -> {
        values.merge("s", "x", String::concat);
        yield RowOperation.write(ROW, span, new Extension("s", "x"))
            .telling(Map.of("s", Optional.of(values.get("s"))));
      }
      default -> {
        Map<String, Optional<String>> seen = new HashMap<>();
        for (String each : List.of("a", "b", "n", "s")) {
          seen.put(each, Optional.ofNullable(values.get(each)));
        }
        yield RowOperation.get(ROW, span, seen);
      }
    };
  }

  private RowOperation conditional(Span span, String column, String value) {
    Optional<String> now = Optional.ofNullable(values.get(column));
    Optional<String> wanted = random.nextInt(3) == 0 ? Optional.of("v" + random.nextInt(9)) : now;
    boolean held = wanted.equals(now);
    if (held) {
      values.put(column, value);
    }
    return RowOperation.write(ROW, span, new Write(Map.of(column, value)))
        .provided(new Test(column, wanted), held);
  }
}
