package io.deli.tools.command;

import io.deli.client.Continuation;
import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.tools.Failure;
import java.util.List;
import org.apache.hadoop.hbase.client.TableDescriptor;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the hits that {@code deli query} returns, and for their columns. */
final class ResultOptions {
  @Option(names = "--reverse", description = "In descending order.")
  private boolean reverse;

  @Option(
      names = "--as-of",
      paramLabel = "TIME",
      description = "As the table was then, " + Names.TIME + ". Sees what the family still keeps.")
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

  @Mixin private Arguments.Types types;

  /** Refuses numbers out of range, before anything is asked of HBase. */
  void check() {
    atLeastOne("--versions", versions);
    atLeastOne("--limit", limit);
    atLeastOne("--most-recent", mostRecent);
    Failure.ifBoth("--most-recent", mostRecent, "--reverse", reverse);
    Failure.ifBoth("--most-recent", mostRecent, "--continue", from);
    if (asOf != null) {
      Names.time("--as-of", asOf);
    }
    if (from != null) {
      continuation();
    }
    if (project.isEmpty() && !types.byColumn().isEmpty()) {
      throw Failure.usage("--types is for columns that --project shows: give --project, too");
    }
  }

  ColumnTypes columns(TableDescriptor table) {
    return new ColumnTypes(table, null, types.byColumn());
  }

  List<Column> projected(ColumnTypes columns) {
    return project.stream().map(columns::column).toList();
  }

  ValueQuery apply(ValueQuery condition, List<Column> projected) {
    ValueQuery query = condition.project(projected.toArray(Column[]::new));
    query = reverse ? query.reversed() : query;
    query = allowScan ? query.allowScan() : query;
    query = asOf != null ? query.asOf(Names.time("--as-of", asOf)) : query;
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
}
