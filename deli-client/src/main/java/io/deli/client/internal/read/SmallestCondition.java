package io.deli.client.internal.read;

import io.deli.client.Explanation.Estimate;
import io.deli.client.internal.Futures;
import io.deli.client.internal.read.EntryPage.EntryGroup;
import io.deli.entry.Entry;
import io.deli.strategy.FileIndexing;
import io.deli.strategy.Index;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Finds the hits of a conjunction by the smallest of its conditions, if that one is small.
 *
 * <p>The first condition leads: its entries tell the order of the hits, their values and the
 * positions of continuations, whichever condition they are found by. A run
 *
 * <ol>
 *   <li>reads a page of the first condition, and most queries end there;
 *   <li>if it goes on, asks the indexes of the other conditions for a few pages of entries each, in
 *       one request beside its own reads, which do not wait for it. Where the first condition would
 *       have every row of the base table read, it is asked before, and waited for;
 *   <li>if some condition has no more entries than that, reads the base rows that the fewest lead
 *       to, and makes the rest of the conjunction one page: of the rows that satisfy it, in the
 *       order of the entries that the first condition has for them. Else it goes on as it began.
 * </ol>
 *
 * <p>A row that satisfies a condition all the time is missed by a scan of its entries only if it
 * moves meanwhile, which leaves an entry of that time. So {@link CatchUpScan} looks for such
 * entries of the conditions by which rows were found, too, see {@link #changed}. Rows that moved
 * behind the position are left to it. An index that fails is no small one.
 *
 * <p>Not thread-safe, except for what arrives.
 */
final class SmallestCondition {
  /** Entries alone are small: so many pages of them make one request. */
  private static final int PAGES = 4;

  private final QueryPlan plan;
  private final BaseRows rows;
  private final ReadRepair repair;
  private final int page;
  private final List<Asked> all = new ArrayList<>();
  private final List<Asked> used = new ArrayList<>();
  private List<Asked> asked = List.of();
  private int begun = -1;
  private boolean wasAsked;

  /**
   * @param page how many rows are read at a time otherwise
   */
  SmallestCondition(BaseRows rows, ReadRepair repair, int page) {
    plan = rows.plan();
    this.rows = rows;
    this.repair = repair;
    this.page = page;
  }

  BaseRows rows() {
    return rows;
  }

  /** Returns how many entries to ask for where no base rows are read with them. */
  static int scanRows(int page) {
    return (int) Math.min(Integer.MAX_VALUE, (long) PAGES * page);
  }

  /** A condition that is asked for its entries. */
  private static final class Asked {
    private final Conjunction conjunction;
    private final EntryReader reader;
    private final CompletableFuture<Boolean> isSmall;
    private final NavigableMap<byte[], List<Entry>> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);

    Asked(Conjunction conjunction, EntryReader reader, int most) {
      this.conjunction = conjunction;
      this.reader = reader;
      this.isSmall = read(Position.startOf(0), most).exceptionally(error -> false);
    }

    private CompletableFuture<Boolean> read(Position from, int left) {
      return reader
          .read(from, left)
          .thenCompose(
              page -> {
                page.groups().forEach(group -> group.entries().forEach(this::add));
                int rest = left - page.groups().size();
                return page.next().isEmpty() || rest <= 0
                    ? CompletableFuture.completedFuture(page.next().isEmpty())
                    : read(page.next().get(), rest);
              });
    }

    private void add(Entry entry) {
      rows.computeIfAbsent(entry.key(), key -> new ArrayList<>()).add(entry);
    }

    private int entries() {
      return rows.values().stream().mapToInt(List::size).sum();
    }

    private List<Entry> stale(Map<byte[], Result> found) {
      Index index = conjunction.index();
      return rows.values().stream()
          .flatMap(List::stream)
          .filter(entry -> Verifier.justification(index, entry, found.get(entry.key())).isEmpty())
          .toList();
    }
  }

  /**
   * Returns the rest of a conjunction behind a position, if that is to be found by another of its
   * conditions; called ahead of each page of entries.
   */
  CompletableFuture<Optional<EntryPage>> rest(Position from) {
    boolean first = begun != from.conjunction();
    if (first) {
      begun = from.conjunction();
      asked = List.of();
      wasAsked = false;
    }
    boolean waits = first && readsEveryRow(from);
    if (!wasAsked && (waits || !first)) {
      ask(from);
    }
    return settled(waits ? asked : List.of())
        .thenCompose(
            done ->
                smallest()
                    .map(each -> page(each, from).thenApply(Optional::of))
                    .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty())));
  }

  /** Whether the rest of a conjunction would be found by another condition now. */
  boolean isFound(Position from) {
    return begun == from.conjunction() && smallest().isPresent();
  }

  private boolean readsEveryRow(Position from) {
    Conjunction leading = plan.conjunctions().get(from.conjunction());
    return leading.scansBase() && leading.index().strategy().fileIndexing() == FileIndexing.NONE;
  }

  private void ask(Position from) {
    wasAsked = true;
    if (plan.together(from.conjunction()).size() == 1) {
      asked =
          plan.conjunctions().get(from.conjunction()).alternatives(plan.options()).stream()
              .map(this::ask)
              .toList();
      all.addAll(asked);
    }
  }

  private Asked ask(Conjunction alternative) {
    QueryPlan entries = plan.of(List.of(alternative), Position.startOf(0));
    return new Asked(alternative, new EntryReader(rows.requests(), entries), scanRows(page));
  }

  private Optional<Asked> smallest() {
    return asked.stream()
        .filter(each -> each.isSmall.getNow(false))
        .min(Comparator.comparingInt(Asked::entries));
  }

  private CompletableFuture<EntryPage> page(Asked by, Position from) {
    used.add(by);
    asked = List.of();
    return rows.read(by.rows.navigableKeySet())
        .thenApply(
            found -> {
              repair.suspect(by.conjunction.index(), by.stale(found));
              return new EntryPage(
                  from.conjunction(),
                  groups(by, from, found),
                  Optional.of(found),
                  plan.behind(from.conjunction()));
            });
  }

  /**
   * Groups of rows that are no hits, and then of those that the scan would have met, in its order.
   */
  private List<EntryGroup> groups(Asked by, Position from, Map<byte[], Result> found) {
    Conjunction leading = plan.conjunctions().get(from.conjunction());
    boolean reversed = plan.options().reversed();
    List<EntryGroup> beside = new ArrayList<>();
    List<EntryGroup> ahead = new ArrayList<>();
    found.forEach(
        (key, row) -> {
          if (leading.holds(row)) {
            leading
                .entry(row, reversed)
                .filter(entry -> !leading.isBehind(from, entry, reversed))
                .flatMap(entry -> leading.group(from.conjunction(), entry))
                .ifPresent(ahead::add);
          } else {
            beside.add(new EntryGroup(by.rows.get(key), from));
          }
        });
    ahead.sort(Comparator.comparing(EntryGroup::end, Position.order(reversed)));
    beside.addAll(ahead);
    return beside;
  }

  /**
   * Reads anew what was scanned.
   *
   * @param newest the time from which on a hit's version must be
   * @param now the time
   */
  ChangedRows changed(long since, long newest, long now) {
    List<Conjunction> others = others();
    if (others.isEmpty()) {
      return new ChangedRows(rows.requests(), plan, Math.max(since, newest), now, page);
    }
    // What another condition has of a row may be older than the hit.
    if (plan.hasOnePlacePerRow()) {
      return new ChangedRows(
          rows.requests(), plan.of(others, Position.startOf(0)), since, now, page);
    }
    List<Conjunction> both = new ArrayList<>(plan.conjunctions());
    both.addAll(others);
    return new ChangedRows(rows.requests(), plan.of(both, plan.start()), since, now, page);
  }

  /** Whether no row can have moved past the scan of entries that lead, or of others. */
  boolean metAllRows(EntryReader leading) {
    if (others().isEmpty()) {
      return plan.hasOnePlacePerRow() || leading.sawOneMoment();
    }
    if (plan.hasOnePlacePerRow() && others().stream().allMatch(Conjunction::hasOnePlacePerRow)) {
      return true;
    }
    return plan.hasOnePlacePerRow()
        && isWhole()
        && used.size() == 1
        && used.get(0).reader.sawOneMoment();
  }

  /** By which rows were found; what another run has used before this one is not known. */
  private List<Conjunction> others() {
    return isWhole()
        ? used.stream().map(each -> each.conjunction).toList()
        : plan.conjunctions().stream()
            .flatMap(each -> each.alternatives(plan.options()).stream())
            .toList();
  }

  private boolean isWhole() {
    return plan.at().isAt(plan.start());
  }

  /** Returns what was asked, once all have answered. */
  CompletableFuture<List<Estimate>> estimates() {
    return settled(all)
        .thenApply(
            done ->
                all.stream()
                    .map(
                        each ->
                            new Estimate(
                                each.conjunction.driver().condition(),
                                each.entries(),
                                each.isSmall.join(),
                                used.contains(each)))
                    .toList());
  }

  private static CompletableFuture<Void> settled(List<Asked> asked) {
    return Futures.all(asked.stream().map(each -> each.isSmall).toList());
  }
}
