package io.deli.client.internal.read;

import io.deli.client.Explanation.Access;
import io.deli.client.Explanation.Step;
import io.deli.client.ValueQuery;
import io.deli.client.internal.read.EntryPage.EntryGroup;
import io.deli.entry.Entry;
import io.deli.entry.TokenEncoding;
import io.deli.entry.WriteId;
import io.deli.index.IndexDefinition;
import io.deli.query.Condition.OnIndex;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.service.TokenScan;
import io.deli.strategy.EntryCondition;
import io.deli.strategy.Index;
import io.deli.strategy.Lookup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Conditions that must all hold: the entries of the driver's index are scanned, the others decided
 * on the base row.
 *
 * @param lookup where the driver's entries are
 */
record Conjunction(IndexCondition driver, Lookup lookup, List<IndexCondition> others) {
  Index index() {
    return driver.index();
  }

  /** Whether it is base rows that are scanned, not entries. */
  boolean scansBase() {
    return lookup.table().equals(index().baseTable());
  }

  /**
   * Returns the request for base rows that the driver may hold for.
   *
   * @param newest how many of these will do
   */
  TokenScan tokenScan(OptionalInt newest) {
    IndexDefinition definition = index().definition();
    return new TokenScan(
        definition.name(), lookup.tokens(), newest, Optional.of(definition.tokenSource()));
  }

  /** Returns the same, if it scans the base table, of a range of it. */
  Conjunction between(ValueQuery.Rows rows) {
    return new Conjunction(driver, lookup.between(rows.from(), rows.before()), others);
  }

  /** Returns the scan from a position on, as an explained step. */
  Step step(Position from, boolean reversed) {
    return new Step(
        driver.condition(),
        index().strategy().name(),
        access(),
        from.rest(lookup, reversed),
        reversed,
        Stream.concat(
                others.stream().map(IndexCondition::condition),
                tests().stream()
                    .flatMap(test -> test.index().condition().stream())
                    .map(Conjunction::tested))
            .toList());
  }

  private static OnIndex tested(EntryCondition condition) {
    return new OnIndex(condition.column().toString(), new EqualTo(condition.value()));
  }

  private Access access() {
    if (lookup.tokens().isEmpty()) {
      return Access.NOTHING;
    }
    if (scansBase()) {
      return Access.BASE_TABLE;
    }
    return lookup.isOneRow() ? Access.INDEX_ROW : Access.INDEX_RANGE;
  }

  /** Returns the same with each of the others as the driver, whose index has a table for that. */
  List<Conjunction> alternatives(ValueQuery.Options options) {
    List<Conjunction> alternatives = new ArrayList<>();
    for (IndexCondition other : others) {
      List<IndexCondition> rest = new ArrayList<>(tests());
      rest.remove(other);
      Conjunction alternative = new Conjunction(other, QueryPlanner.lookup(other), rest);
      if (!alternative.scansBase() && QueryRules.answers(other.index(), options)) {
        alternatives.add(alternative);
      }
    }
    return alternatives;
  }

  List<IndexCondition> tests() {
    List<IndexCondition> all = new ArrayList<>(others.size() + 1);
    all.add(driver);
    all.addAll(others);
    return all;
  }

  /**
   * Whether a base row has its entries in one place, wherever its values move, so that a scan meets
   * it once: the row itself, or the one row of the index for its key.
   */
  boolean hasOnePlacePerRow() {
    return scansBase() || (lookup.rows() == Lookup.Rows.UNORDERED && lookup.tokens().isSingle());
  }

  /**
   * The entry at which a scan meets what a base row has now: of the tokens in the range, the one
   * that comes first. Empty if it has none.
   */
  Optional<Entry> entry(Result row, boolean reversed) {
    Cell newest = index().key().newest(row).orElseThrow();
    Comparator<byte[]> order =
        reversed ? Bytes.BYTES_COMPARATOR.reversed() : Bytes.BYTES_COMPARATOR;
    return index().storedTokens(CellUtil.cloneValue(newest)).stream()
        .filter(lookup.tokens()::contains)
        .min(order)
        .map(token -> new Entry(token, row.getRow(), newest.getTimestamp(), WriteId.NONE));
  }

  /** Whether an entry is in a row, without salt, of the table that is scanned. */
  boolean isIn(byte[] scanned, Entry entry) {
    return rowOf(entry).filter(row -> Bytes.equals(row, scanned)).isPresent();
  }

  /** Without salt; empty if the index cannot hold the entry. */
  private Optional<byte[]> rowOf(Entry entry) {
    if (scansBase()) {
      return Optional.of(entry.key());
    }
    return lookup.rows() == Lookup.Rows.LISTS
        ? Optional.of(TokenEncoding.encode(entry.token()))
        // The format is the strategy's own: where it takes an entry out, it has it.
        : index()
            .strategy()
            .retract(index(), entry)
            .map(CellUtil::cloneRow)
            .map(lookup.buckets()::unsalted);
  }

  /** Returns an entry as a scan would; empty if the index cannot hold it. */
  Optional<EntryGroup> group(int conjunction, Entry entry) {
    boolean list = lookup.rows() == Lookup.Rows.LISTS;
    return rowOf(entry)
        .map(
            row ->
                list
                    ? Position.behind(conjunction, row, entry)
                    : Position.behindRow(conjunction, row))
        .map(end -> new EntryGroup(List.of(entry), end));
  }

  /** Whether a scan that has come to a place of this conjunction no longer meets an entry. */
  boolean isBehind(Position place, Entry entry, boolean reversed) {
    if (place.atStart()) {
      return false;
    }
    Optional<byte[]> row = rowOf(entry);
    int order = row.map(found -> Bytes.compareTo(found, place.row())).orElse(reversed ? 1 : -1);
    if (order != 0) {
      return reversed ? order > 0 : order < 0;
    }
    return place.behindWholeRow() || place.passed(entry, reversed);
  }

  boolean holds(Result row) {
    return driver.holds(row) && others.stream().allMatch(test -> test.holds(row));
  }
}
