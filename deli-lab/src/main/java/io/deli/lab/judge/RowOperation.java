package io.deli.lab.judge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One call of a client on one row, and what the client was told. Immutable.
 *
 * <p>A Get has no steps. A CheckAndMutate has a test. A mutateRow has several steps, all of which
 * take effect at one moment; if they meet in a column, HBase's rule on equal timestamps decides,
 * which this does not know, so they must not.
 *
 * @param test of a conditional write
 * @param outcome of the test
 * @param steps in their order
 * @param seen the newest value of columns after the steps, none if a column has none, as far as the
 *     client was told
 * @param span without end if the client was told of a failure or nothing: then it may take effect
 *     at any moment after its begin, or never
 * @param optional whether it may also never take effect, though it has an end
 */
public record RowOperation(
    String row,
    Optional<Test> test,
    Outcome outcome,
    List<Step> steps,
    Map<String, Optional<String>> seen,
    Span span,
    boolean optional) {
  /**
   * The condition of a CheckAndMutate: that a column's newest value is this, or that it has none.
   */
  public record Test(String column, Optional<String> value) {
    @Override
    public String toString() {
      return "if " + column + value.map(v -> " = '" + v + "'").orElse(" is absent") + ": ";
    }
  }

  /** The outcome of a condition that a client was told. */
  public enum Outcome {
    HELD,
    NOT_HELD,
    UNTOLD
  }

  public RowOperation {
    steps = List.copyOf(steps);
    seen = new TreeMap<>(seen);
  }

  /** A write that was acknowledged. */
  public static RowOperation write(String row, Span span, Step... steps) {
    return new RowOperation(
        row, Optional.empty(), Outcome.HELD, Arrays.asList(steps), Map.of(), span, false);
  }

  /** A Get that was answered. */
  public static RowOperation get(String row, Span span, Map<String, Optional<String>> seen) {
    return new RowOperation(row, Optional.empty(), Outcome.HELD, List.of(), seen, span, false);
  }

  /** The same under a condition, with what the client was told of it. */
  public RowOperation provided(Test condition, boolean held) {
    Outcome told = held ? Outcome.HELD : Outcome.NOT_HELD;
    return new RowOperation(row, Optional.of(condition), told, steps, seen, span, optional);
  }

  /** The same with values that the client was told, as of an Increment or Append. */
  public RowOperation telling(Map<String, Optional<String>> values) {
    return new RowOperation(row, test, outcome, steps, values, span, optional);
  }

  /** The same at other moments. */
  public RowOperation during(Span other) {
    return new RowOperation(row, test, outcome, steps, seen, other, optional);
  }

  /** The same when nobody knows whether it takes effect, which it may until the span ends. */
  public RowOperation perhaps(Span other) {
    Outcome told = test.isPresent() ? Outcome.UNTOLD : Outcome.HELD;
    return new RowOperation(row, test, told, steps, Map.of(), other, true);
  }

  /** The same when the client was told of a failure. */
  public RowOperation failed() {
    return failedSince(span.begun());
  }

  /** The same when the client was told of a failure, or nothing, of a call that began then. */
  public RowOperation failedSince(long begun) {
    return perhaps(new Span(begun, Span.NEVER));
  }

  /**
   * The operations that may have happened if HBase's client may have sent the request twice, for
   * the first answer was lost: the operation may have taken effect twice; and of a condition, an
   * Increment or an Append, the answer tells what the second request met. An Increment or Append
   * takes effect once, unless it {@linkplain #mayBeRecounted may be recounted}.
   */
  public List<RowOperation> sentTwice() {
    if (steps.isEmpty()) {
      return List.of(this);
    }
    if (isComputed()) {
      // A number that goes with them keeps a server from doing these twice.
      return List.of(telling(Map.of()));
    }
    List<RowOperation> both = new ArrayList<>();
    if (outcome != Outcome.NOT_HELD) {
      both.add(this);
    }
    both.add(perhaps(span));
    return both;
  }

  private boolean isComputed() {
    return steps.stream().anyMatch(step -> step instanceof Step.Computation);
  }

  /**
   * Whether it is an acknowledged Increment or Append that may have been {@linkplain #sentTwice
   * sent twice}, and so taken effect twice if another server had got the region in between.
   */
  public boolean mayBeRecounted() {
    return isComputed() && seen.isEmpty() && span.hasEnd() && !optional;
  }

  boolean removes(Step.Scope scope) {
    for (Step step : steps) {
      if (step instanceof Step.Removal removal && removal.scope() == scope) {
        return true;
      }
    }
    return false;
  }

  /** Whether it deletes a single version of a column. */
  boolean takesOne() {
    return removes(Step.Scope.LATEST) || removes(Step.Scope.MARKED);
  }

  /** Whether it leaves every row as it is, by what the client was told. */
  public boolean isRead() {
    return steps.isEmpty() || outcome == Outcome.NOT_HELD;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(test.map(Test::toString).orElse(""));
    if (steps.isEmpty()) {
      text.append("get");
    }
    for (int i = 0; i < steps.size(); i++) {
      text.append(i == 0 ? "" : ", ").append(steps.get(i));
    }
    if (test.isPresent()) {
      text.append(" -> ").append(outcome);
    }
    if (!seen.isEmpty()) {
      text.append(" -> ").append(RowState.text(seen));
    }
    return text.append(optional ? " (perhaps)" : "").toString();
  }
}
