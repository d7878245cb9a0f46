package io.deli.tools.command;

import io.deli.client.Continuation;
import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.tools.Failure;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import picocli.CommandLine.Option;

/** Which hits {@code deli query} returns, and what of them. */
final class ResultOptions {
  @Option(names = "--reverse", description = "In descending order.")
  private boolean reverse;

  @Option(
      names = "--as-of",
      paramLabel = "TIME",
      description =
          "As the table was then: milliseconds since 1970, or as in 2026-01-31T12:00:00Z. Sees"
              + " what the family still keeps.")
  private String asOf;

  @Option(
      names = "--versions",
      paramLabel = "M",
      description = "Look at the newest M versions of each row (default: 1).")
  private Integer versions;

  @Option(
      names = "--limit",
      paramLabel = "P",
      description = "At most P hits; prints a continuation if there are more.")
  private Integer limit;

  @Option(
      names = "--most-recent",
      paramLabel = "K",
      description = "The K hits with the greatest timestamps, newest first.")
  private Integer mostRecent;

  @Option(
      names = "--continue",
      paramLabel = "TOKEN",
      description = "Go on where the same query with --limit stopped.")
  private String from;

  @Option(
      names = "--allow-scan",
      description = "Read all of the table where the index is being built or is disabled.")
  private boolean allowScan;

  @Option(
      names = "--project",
      split = ",",
      paramLabel = "COL",
      description = "Columns to show with each hit.")
  private List<String> project = List.of();

  /** Refuses numbers out of range, before anything is asked of HBase. */
  void check() {
    atLeastOne("--versions", versions);
    atLeastOne("--limit", limit);
    atLeastOne("--most-recent", mostRecent);
    if (asOf != null) {
      millis(asOf);
    }
    if (from != null) {
      continuation();
    }
  }

  List<Column> projected(ColumnTypes columns) {
    return project.stream().map(columns::column).toList();
  }

  /** Sets the options on a query. */
  ValueQuery apply(ValueQuery condition, List<Column> projected) {
    ValueQuery query = condition.project(projected.toArray(Column[]::new));
    query = reverse ? query.reversed() : query;
    query = allowScan ? query.allowScan() : query;
    query = asOf != null ? query.asOf(millis(asOf)) : query;
    query = versions != null ? query.versions(versions) : query;
    query = limit != null ? query.limit(limit) : query;
    query = mostRecent != null ? query.mostRecent(mostRecent) : query;
    return from != null ? query.from(continuation()) : query;
  }

  private Continuation continuation() {
    try {
      return Continuation.parse(from);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--continue: " + e.getMessage());
    }
  }

  /** Refuses what is given and is not positive. */
  static void atLeastOne(String option, Number value) {
    if (value != null && value.longValue() < 1) {
      throw Failure.usage(option + " " + value + ": must be at least 1");
    }
  }

  private static long millis(String text) {
    try {
      long millis =
          text.chars().allMatch(Character::isDigit)
              ? Long.parseLong(text)
              : Instant.parse(text).toEpochMilli();
      if (millis >= 0) {
        return millis;
      }
    } catch (DateTimeParseException | NumberFormatException e) {
      // Said below.
    }
    throw Failure.usage(
        "--as-of %s: give milliseconds since 1970, or a time as in 2026-01-31T12:00:00Z"
            .formatted(text));
  }
}
