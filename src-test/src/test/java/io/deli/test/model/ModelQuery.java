package io.deli.test.model;

import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.index.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A query, and what it must find.
 *
 * @param disjuncts in disjunctive normal form; the first term of each decides the order
 * @param end exclusive
 * @param mostRecent how many of the newest hits, newest first
 */
record ModelQuery(
    ValueQuery query,
    List<List<Term>> disjuncts,
    boolean reversed,
    long end,
    int versions,
    OptionalInt mostRecent,
    List<Column> projection) {

  /** Conditions that scan the base table are run together, the last. */
  ModelQuery {
    disjuncts =
        disjuncts.stream()
            .sorted(Comparator.comparing((List<Term> terms) -> terms.get(0).index().isScanned()))
            .toList();
  }

  private static final Comparator<Hit> NEWEST =
      Comparator.comparingLong((Hit hit) -> hit.version.timestamp()).reversed();
  private static final Comparator<Hit> BY_ROW =
      Comparator.comparing(hit -> hit.row, Bytes.BYTES_COMPARATOR);

  private record Hit(byte[] row, Version version, byte[] place, String projected) {
    @Override
    public String toString() {
      return "%s = %s%s".formatted(Bytes.toStringBinary(row), version.certain(), projected);
    }
  }

  /** The columns that decide the answer. */
  Set<Column> columns() {
    Set<Column> columns = new LinkedHashSet<>(projection);
    disjuncts.forEach(terms -> terms.forEach(term -> columns.add(term.column())));
    return columns;
  }

  /** Whether the answer comes of the entries of one index that follows deletes. */
  boolean followsDeletes() {
    return disjuncts.size() == 1 && disjuncts.get(0).get(0).index().followsDeletes();
  }

  /** The hits in the order in which they must come. */
  List<String> find(View view) {
    List<Hit> all = new ArrayList<>();
    List<Hit> ofBase = new ArrayList<>();
    for (int i = 0; i < disjuncts.size(); i++) {
      List<Hit> hits = find(view, i);
      Term driver = disjuncts.get(i).get(0);
      hits.sort(reversed ? order(driver).reversed() : order(driver));
      (driver.index().isScanned() ? ofBase : all).addAll(hits);
    }
    // Of one scan. A row has several hits only if there is one condition.
    ofBase.sort(reversed ? BY_ROW.reversed() : BY_ROW);
    all.addAll(ofBase);
    if (mostRecent.isPresent()) {
      all.sort(NEWEST.thenComparing(BY_ROW));
      all = all.subList(0, Math.min(mostRecent.getAsInt(), all.size()));
    }
    return all.stream().map(Hit::toString).toList();
  }

  private static Comparator<Hit> order(Term driver) {
    if (driver.index().isScanned()) {
      return BY_ROW.thenComparing(NEWEST);
    }
    Comparator<Hit> byPlace = Comparator.comparing(hit -> hit.place, driver.index().order());
    return driver.index().kind() == ModelIndex.Kind.PREFIXES
        ? NEWEST.thenComparing(BY_ROW)
        : byPlace.thenComparing(
            driver.index().newestFirst()
                ? NEWEST.thenComparing(BY_ROW)
                : BY_ROW.thenComparing(NEWEST));
  }

  private List<Hit> find(View view, int number) {
    List<Hit> hits = new ArrayList<>();
    List<Term> terms = disjuncts.get(number);
    Term driver = terms.get(0);
    for (byte[] row : view.rows()) {
      boolean comes =
          isOf(query.options().rows(), row)
              && terms.stream().skip(1).allMatch(term -> holds(view, row, term))
              && disjuncts.subList(0, number).stream()
                  .noneMatch(earlier -> earlier.stream().allMatch(t -> holds(view, row, t)));
      for (Version version : view.versions(row, driver.column())) {
        if (comes && driver.matches(version.value())) {
          byte[] place = driver.place(version.value(), reversed);
          hits.add(new Hit(row, version, place, projected(view, row)));
        }
      }
    }
    return hits;
  }

  private static boolean isOf(ValueQuery.Rows rows, byte[] row) {
    return Bytes.compareTo(row, rows.from()) >= 0
        && (rows.before().length == 0 || Bytes.compareTo(row, rows.before()) < 0);
  }

  private static boolean holds(View view, byte[] row, Term term) {
    List<Version> versions = view.versions(row, term.column());
    return !versions.isEmpty() && term.matches(versions.get(0).value());
  }

  private String projected(View view, byte[] row) {
    StringBuilder text = new StringBuilder();
    for (Column column : projection) {
      view.versions(row, column).stream().limit(1).forEach(v -> text.append(cell(column, v)));
    }
    return text.toString();
  }

  private static String cell(Column column, Version version) {
    return ", " + column + " = " + version.certain();
  }

  /** A hit of DELI as {@link #find} writes it. */
  String describe(ValueHit hit) {
    StringBuilder text = new StringBuilder();
    Result result = hit.projected();
    for (Column column : projection) {
      for (Cell each : result.getColumnCells(column.family(), column.qualifier())) {
        text.append(cell(column, Version.of(each.getTimestamp(), CellUtil.cloneValue(each))));
      }
    }
    Version version = Version.of(hit.timestamp(), hit.value());
    return "%s = %s%s".formatted(Bytes.toStringBinary(hit.row()), version, text);
  }

  @Override
  public String toString() {
    return disjuncts
        + (reversed ? " reversed" : "")
        + (end == Long.MAX_VALUE ? "" : " as of " + (end - 1))
        + (versions == 1 ? "" : " versions " + versions)
        + (mostRecent.isEmpty() ? "" : " most recent " + mostRecent.getAsInt())
        + (query.options().rows().areAll() ? "" : " of rows " + query.options().rows())
        + (projection.isEmpty() ? "" : " with " + projection);
  }
}
