package io.deli.client.internal.read;

import io.deli.client.internal.KeyRange;
import io.deli.client.internal.read.EntryPage.EntryGroup;
import io.deli.client.internal.read.EntryReader.TimeSpan;
import io.deli.entry.Entry;
import io.deli.entry.TokenEncoding;
import io.deli.strategy.Lookup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads entries that lie in lists, see {@link Lookup.Rows#LISTS}: rows of any length, read in
 * pieces.
 *
 * <p>Lists may be merged between two requests, which moves postings from a cell behind the last one
 * read to a cell before it. So a request is never continued by cells: the next one asks for the
 * rest of the row by time, from the last entry that was given on, and passes over what it has seen.
 * Oldest first, a row is read as a whole. One page after the other; not thread-safe.
 */
final class PostingListReader {
  /** Approximate heap size of a cell with one posting. */
  private static final long CELL_BYTES = 200;

  private static final long LEAST_BYTES = 4 << 10;
  private static final long MOST_BYTES = 64L << 20;

  private final TableReader requests;
  private final QueryPlan plan;
  private final TimeSpan times;
  private int scans;
  private ScanCollector last = ScanCollector.all();
  private Rest rest = new Rest(Position.startOf(0), List.of(), Optional.empty());

  /** Creates a reader of the entries of a time. */
  PostingListReader(TableReader requests, QueryPlan plan, TimeSpan times) {
    this.requests = requests;
    this.plan = plan;
    this.times = times;
  }

  /** Returns the number of scans so far. */
  int scans() {
    return scans;
  }

  /** Returns the last scan. */
  ScanCollector last() {
    return last;
  }

  /** The surplus of a request beyond its page. */
  private record Rest(Position from, List<EntryGroup> groups, Optional<Position> next) {}

  CompletableFuture<EntryPage> read(Position from, int groups) {
    return !rest.groups().isEmpty() && rest.from().isAt(from)
        ? CompletableFuture.completedFuture(page(rest, groups))
        : request(from, Math.max(LEAST_BYTES, groups * CELL_BYTES))
            .thenApply(read -> page(read, groups));
  }

  private EntryPage page(Rest read, int most) {
    List<EntryGroup> all = read.groups();
    if (all.size() <= most) {
      rest = new Rest(read.from(), List.of(), Optional.empty());
      return new EntryPage(read.from().conjunction(), all, Optional.empty(), read.next());
    }
    List<EntryGroup> groups = all.subList(0, most);
    Position end = groups.get(most - 1).end();
    rest = new Rest(end, all.subList(most, all.size()), read.next());
    return new EntryPage(end.conjunction(), groups, Optional.empty(), Optional.of(end));
  }

  /** Asks once; again, and for more, if that was not enough to tell which entry is next. */
  private CompletableFuture<Rest> request(Position from, long bytes) {
    Conjunction conjunction = plan.conjunctions().get(from.conjunction());
    Lookup lookup = conjunction.lookup();
    last = ScanCollector.first();
    scans++;
    requests.scan(lookup.table(), scan(lookup, from, bytes), last);
    return EntryReader.explained(conjunction, last.results())
        .thenCompose(results -> decide(lookup, from, bytes, results));
  }

  private Scan scan(Lookup lookup, Position from, long bytes) {
    Scan scan = EntryReader.ofEntries(plan).setAllowPartialResults(true).setMaxResultSize(bytes);
    long end = times.end();
    if (!from.behindWholeRow()) {
      scan.withStartRow(from.row(), true).withStopRow(from.row(), true);
      end = reversed() ? end : Math.min(end, from.timestamp() + 1);
    } else if (asksForOneRow(lookup)) {
      scan.withStartRow(lookup.startRow(), true).withStopRow(lookup.startRow(), true);
    } else {
      EntryReader.within(scan, lookup, from);
    }
    return lookup.since(times.start(), end, scan);
  }

  /** Whether the only row is asked for; that of a long token is found among others. */
  private static boolean asksForOneRow(Lookup lookup) {
    return lookup.isOneRow()
        && Bytes.equals(lookup.startRow(), TokenEncoding.encode(lookup.tokens().first()));
  }

  private boolean reversed() {
    return plan.options().reversed();
  }

  private CompletableFuture<Rest> decide(
      Lookup lookup, Position from, long bytes, List<Result> answer) {
    List<EntryGroup> groups = new ArrayList<>();
    Position end = from;
    boolean cut = false;
    for (Result row : byRow(answer)) {
      end = Position.behindRow(from.conjunction(), row.getRow());
      List<Entry> entries = lookup.entries().apply(row);
      if (isBeside(lookup, entries)) {
        cut = false;
        groups.add(new EntryGroup(List.of(), end));
      } else {
        cut = row.mayHaveMoreCellsInRow();
        groups.addAll(groups(end, cut, certain(lookup, from, row, entries)));
      }
    }
    if (!cut) {
      return CompletableFuture.completedFuture(
          new Rest(from, groups, behindRow(lookup, end, answer.isEmpty())));
    }
    if (!groups.isEmpty()) {
      end = groups.get(groups.size() - 1).end();
      return CompletableFuture.completedFuture(new Rest(from, groups, Optional.of(end)));
    }
    if (bytes < MOST_BYTES) {
      return request(from, Math.min(MOST_BYTES, 4 * bytes));
    }
    return CompletableFuture.failedFuture(
        new DoNotRetryIOException(
            "the posting list in row '%s' of %s has more than %d bytes %s, which must be read at once. Narrow the query, or compact that table."
                .formatted(
                    Bytes.toStringBinary(end.row()),
                    lookup.table(),
                    MOST_BYTES,
                    reversed() ? "to be read oldest first" : "of one timestamp")));
  }

  /** Whether a row lies outside of the rectangle that the scan crosses. */
  private static boolean isBeside(Lookup lookup, List<Entry> ofRow) {
    return !ofRow.isEmpty() && !lookup.tokens().contains(ofRow.get(0).token());
  }

  /** The rest of a row may be followed by other rows, and a row too; the end of the rows is so. */
  private Optional<Position> behindRow(Lookup lookup, Position end, boolean nothingRead) {
    if (asksForOneRow(lookup) || (nothingRead && end.behindWholeRow())) {
      return plan.behind(end.conjunction());
    }
    return Optional.of(Position.behindRow(end.conjunction(), end.row()));
  }

  /** The last row may be cut; a row may come in several pieces. */
  private static List<Result> byRow(List<Result> answer) {
    List<Result> rows = new ArrayList<>(answer.size());
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < answer.size(); i++) {
      Result piece = answer.get(i);
      cells.addAll(piece.listCells());
      if (i + 1 == answer.size() || !Bytes.equals(piece.getRow(), answer.get(i + 1).getRow())) {
        rows.add(Result.create(cells, null, false, piece.mayHaveMoreCellsInRow()));
        cells = new ArrayList<>();
      }
    }
    return rows;
  }

  /** The entries that no cell to come can be ahead of. */
  private List<Entry> certain(Lookup lookup, Position from, Result row, List<Entry> ofRow) {
    boolean cut = row.mayHaveMoreCellsInRow();
    if (cut && reversed()) {
      return List.of();
    }
    List<Entry> entries = new ArrayList<>(ofRow);
    entries.removeIf(
        entry -> entry.timestamp() < times.start() || entry.timestamp() >= times.end());
    if (cut) {
      Result lastCell = Result.create(List.of(row.rawCells()[row.size() - 1]));
      Position newest =
          Position.behind(
              from.conjunction(), row.getRow(), lookup.entries().apply(lastCell).get(0));
      entries.removeIf(entry -> !newest.passed(entry, false));
    }
    if (reversed()) {
      Collections.reverse(entries);
    }
    if (!from.behindWholeRow()) {
      entries.removeIf(entry -> from.passed(entry, reversed()));
    }
    return entries;
  }

  /** Groups of rows that the plan does not want are empty, for the place behind them. */
  private List<EntryGroup> groups(Position row, boolean cut, List<Entry> entries) {
    KeyRange rows = plan.rows();
    List<EntryGroup> groups = new ArrayList<>(entries.size());
    int start = 0;
    for (int i = 1; i <= entries.size(); i++) {
      Position end = Position.behind(row.conjunction(), row.row(), entries.get(i - 1));
      boolean last = i == entries.size();
      if (last || !end.isAt(Position.behind(row.conjunction(), row.row(), entries.get(i)))) {
        List<Entry> some =
            entries.subList(start, i).stream().filter(each -> rows.contains(each.key())).toList();
        groups.add(new EntryGroup(some, last && !cut ? row : end));
        start = i;
      }
    }
    return groups;
  }
}
