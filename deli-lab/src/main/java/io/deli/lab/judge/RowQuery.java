package io.deli.lab.judge;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A query by value that was answered to its end.
 *
 * @param how it was made, for people
 * @param hits in their order
 * @param page the part of the index that a page is about; none for a whole answer
 */
public record RowQuery(
    String how, QueryCondition condition, List<Hit> hits, Span span, Optional<Page> page) {
  /** A hit, its value if the condition is on one column, and when the client was given it. */
  public record Hit(String row, String value, long taken) {
    /** Its place in an index that is ordered by value, then by row. */
    public Position position() {
      return new Position(value, row);
    }
  }

  /** A place in an index that is ordered by value, then by row. */
  public record Position(String value, String row) implements Comparable<Position> {
    @Override
    public int compareTo(Position other) {
      int order = value.compareTo(other.value);
      return order == 0 ? row.compareTo(other.row) : order;
    }
  }

  /**
   * The positions that a page of a query on one column covers.
   *
   * @param after exclusive
   * @param upTo inclusive; none for the last page
   */
  public record Page(Optional<Position> after, Optional<Position> upTo) {
    /** A page of which nobody knows what it covers. */
    public static final Page UNKNOWN =
        new Page(Optional.of(new Position("", "")), Optional.of(new Position("", "")));

    boolean covers(Position position) {
      return after.map(p -> p.compareTo(position) < 0).orElse(true)
          && upTo.map(p -> position.compareTo(p) <= 0).orElse(true);
    }
  }

  public RowQuery {
    hits = List.copyOf(hits);
  }

  /** The same, answered by what was so at other moments. */
  public RowQuery during(Span other) {
    return new RowQuery(how, condition, hits, other, page);
  }

  /** Whether a row that has this must be in the answer, as far as it is known. */
  boolean wants(String row, Map<String, Optional<String>> contents) {
    return condition.accepts(contents, false)
        && page.map(
                covered ->
                    contents.values().stream()
                        .flatMap(Optional::stream)
                        .allMatch(value -> covered.covers(new Position(value, row))))
            .orElse(true);
  }

  /** Whether a row that has this may be in the answer with this value. */
  boolean allows(Hit hit, Map<String, Optional<String>> contents) {
    boolean ofOne = condition.columns().size() == 1;
    return condition.accepts(contents, true)
        && (!ofOne || contents.values().stream().allMatch(Optional.of(hit.value())::equals));
  }

  @Override
  public String toString() {
    return "query for %s, %s [%d, %d]".formatted(condition, how, span.begun(), span.ended());
  }
}
