package io.deli.test.model;

import io.deli.client.Continuation;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads through DELI, compared with the model.
 *
 * <p>Where the model is in doubt (see {@link ModelColumn}), a scan of the base table by HBase's own
 * client, made at that moment, decides; it must be an answer that the model thinks possible. That
 * is so for versions below the newest {@code VERSIONS}, seen through a time range that ends before
 * newer ones; for versions once below them and then uncovered by an exact delete, or put with an
 * old timestamp below a version that an exact delete hides; and for versions hidden by a marker of
 * their column that is itself below the newest {@code VERSIONS}; and for losers of one timestamp
 * whose winner was dropped.
 */
final class Reads {
  private static final int ALL = Integer.MAX_VALUE;

  private final Random random;
  private final ModelTable model;
  private final Table plain;
  private final List<DeliTable> tables;
  private boolean scanned;

  /**
   * Reads.
   *
   * @param plain the base table by HBase's own client
   * @param tables the same by DELI, of two connections; most reads use the first
   */
  Reads(Random random, ModelTable model, Table plain, List<DeliTable> tables) {
    this.random = random;
    this.model = model;
    this.plain = plain;
    this.tables = List.copyOf(tables);
  }

  private DeliTable anyTable() {
    return tables.get(random.nextInt(4) == 0 ? 1 : 0);
  }

  /** Ends all doubts about these columns, as far as a reader of that time and depth has them. */
  View settled(Collection<Column> columns, long end, int most) throws IOException {
    boolean doubt = false;
    for (byte[] row : model.rows()) {
      for (Column column : columns) {
        doubt |= model.inDoubt(row, column, end, most);
      }
    }
    scanned = doubt;
    if (doubt) {
      settle(BaseScan.of(plain, end, most), columns, end, most);
    }
    return view(end, most, (row, column, version) -> true);
  }

  /** Whether a version that is visible is shown. */
  @FunctionalInterface
  private interface Shown {
    boolean test(byte[] row, Column column, Version version);
  }

  private View view(long end, int most, Shown shown) {
    return new View() {
      @Override
      public List<byte[]> rows() {
        return model.rows();
      }

      @Override
      public List<Version> versions(byte[] row, Column column) {
        return model.visible(row, column, end, most).stream()
            .filter(version -> shown.test(row, column, version))
            .toList();
      }
    };
  }

  private void settle(View base, Collection<Column> columns, long end, int most) {
    for (byte[] row : model.rows()) {
      for (Column column : columns) {
        settle(row, column, end, most, base.versions(row, column));
      }
    }
  }

  private void settle(byte[] row, Column column, long end, int most, List<Version> answer) {
    if (!model.settle(row, column, end, most, answer)) {
      throw new Divergence(
          "HBASE DIFFERS FROM THE MODEL: row '%s', %s, before %d, %d versions\n  base:  %s\n  model: %s"
              .formatted(
                  Bytes.toStringBinary(row),
                  column,
                  end,
                  most,
                  answer,
                  model.describe(row, column)),
          List.of(row));
    }
  }

  /** Ends all doubts about what a reader sees of the row now. */
  void settle(byte[] row) throws IOException {
    if (model.columns().stream().anyMatch(c -> model.inDoubt(row, c, Long.MAX_VALUE, ALL))) {
      Result base = plain.get(new Get(row).readAllVersions());
      for (Column column : model.columns()) {
        settle(row, column, Long.MAX_VALUE, ALL, BaseScan.versions(base, column));
      }
    }
  }

  /** Compares the whole base table with the model, to all depths. */
  void compareBase() throws IOException {
    settle(BaseScan.of(plain, Long.MAX_VALUE, ALL), model.columns(), Long.MAX_VALUE, ALL);
  }

  /** Checks that a compaction left nothing but what is seen. */
  void compareRaw() throws IOException {
    try (ResultScanner scanner = plain.getScanner(new Scan().setRaw(true).readAllVersions())) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          Column column = Column.of(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
          Version version = Version.of(cell.getTimestamp(), CellUtil.cloneValue(cell));
          List<Version> seen = model.visible(row.getRow(), column, Long.MAX_VALUE, ALL);
          if (cell.getType() != Cell.Type.Put || !seen.contains(version)) {
            throw new Divergence("left behind by a compaction: " + cell, List.of(row.getRow()));
          }
        }
      }
    }
  }

  /** A Get of one row through DELI. */
  void get(byte[] row) throws IOException {
    settle(row);
    Result result = anyTable().get(new Get(row).readAllVersions());
    for (Column column : model.columns()) {
      List<Version> expected = model.visible(row, column, Long.MAX_VALUE, ALL);
      List<Version> actual = BaseScan.versions(result, column);
      if (!actual.equals(expected)) {
        throw new Divergence(
            "get of '%s', %s: %s instead of %s"
                .formatted(Bytes.toStringBinary(row), column, actual, expected),
            List.of(row));
      }
    }
  }

  /** Runs a query whole, by pages and with a limit. */
  void query(ModelQuery query) throws IOException {
    View view = settled(query.columns(), query.end(), query.versions());
    List<String> expected = query.find(view);
    compare(query, "in one go", expected, run(query, query.query()).hits());
    if (query.mostRecent().isEmpty() && random.nextInt(3) == 0) {
      int limit = 1 + random.nextInt(9);
      compare(query, "by pages of " + limit, expected, byPages(query, limit));
    }
  }

  private record Run(List<ValueHit> hits, Optional<Continuation> continuation) {}

  private Run run(ModelQuery what, ValueQuery query) throws IOException {
    try (ValueScanner scanner = anyTable().readValue(query)) {
      List<ValueHit> hits = new ArrayList<>();
      for (Optional<ValueHit> hit = scanner.next(); hit.isPresent(); hit = scanner.next()) {
        hits.add(hit.get());
      }
      return new Run(hits, scanner.continuation());
    } catch (IOException | RuntimeException e) {
      throw new AssertionError("query failed: " + what, e);
    }
  }

  /** Each page may come from another connection. */
  private List<ValueHit> byPages(ModelQuery query, int limit) throws IOException {
    List<ValueHit> hits = new ArrayList<>();
    Optional<Continuation> from = Optional.empty();
    do {
      ValueQuery page = query.query().limit(limit);
      Run run = run(query, from.isPresent() ? page.from(from.get()) : page);
      if (run.hits().size() > limit) {
        throw new AssertionError("more than " + limit + " hits: " + query);
      }
      hits.addAll(run.hits());
      from = run.continuation();
    } while (from.isPresent());
    return hits;
  }

  private void compare(ModelQuery query, String how, List<String> expected, List<ValueHit> hits)
      throws IOException {
    List<String> actual = hits.stream().map(query::describe).toList();
    if (actual.equals(expected)
        || (query.followsDeletes() && actual.equals(query.find(withoutRevived(query))))) {
      return;
    }
    List<String> scanned = query.find(BaseScan.of(plain, query.end(), query.versions()));
    String fault =
        scanned.equals(expected)
            ? "DELI IS WRONG: a scan of the base finds what the model finds"
            : scanned.equals(actual)
                ? "HBASE DIFFERS FROM THE MODEL: a scan of the base finds what DELI finds"
                : "a scan of the base finds neither what DELI nor what the model finds: " + scanned;
    List<byte[]> rows = rows(expected, actual);
    throw new Divergence(
        "%s\n  query %s %s\n  missing:  %s\n  surplus:  %s\n  expected: %s\n  actual:   %s%s"
            .formatted(
                fault,
                query,
                how,
                less(expected, actual),
                less(actual, expected),
                expected,
                actual,
                describe(query, rows)),
        rows);
  }

  /**
   * Without what a delete hid and HBase shows again since it dropped the marker: where deletes take
   * entries out, it has none any more.
   */
  private View withoutRevived(ModelQuery query) {
    return view(
        query.end(),
        query.versions(),
        (row, column, version) -> !model.isRevived(row, column, version.timestamp()));
  }

  private String describe(ModelQuery query, List<byte[]> rows) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("\n  ").append(scanned ? "a scan of the base settled doubts" : "no doubts");
    for (byte[] row : rows) {
      text.append("\n  base row '%s': ".formatted(Bytes.toStringBinary(row)));
      text.append(BaseScan.raw(plain, row));
      for (Column column : query.columns()) {
        text.append("\n  model of '%s', %s: ".formatted(Bytes.toStringBinary(row), column));
        text.append(model.describe(row, column));
      }
    }
    return text.toString();
  }

  private List<byte[]> rows(List<String> expected, List<String> actual) {
    List<String> differing = new ArrayList<>(less(expected, actual));
    differing.addAll(less(actual, expected));
    return model.rows().stream()
        .filter(
            row ->
                differing.stream()
                    .anyMatch(hit -> hit.startsWith(Bytes.toStringBinary(row) + " = ")))
        .toList();
  }

  private static List<String> less(List<String> all, List<String> without) {
    List<String> rest = new ArrayList<>(all);
    without.forEach(rest::remove);
    return rest;
  }
}
