package io.deli.strategy.keyed;

import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.index.EntryOrder;
import io.deli.query.TokenRange;
import io.deli.query.ValuePredicate;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Cost;
import io.deli.strategy.Index;
import io.deli.strategy.Lookup;
import io.deli.strategy.NamedStrategy;
import io.deli.strategy.Retraction;
import io.deli.strategy.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/**
 * Keeps one entry per token of a version, in a row of its own made of the token and the base row
 * key. The strategies that do so differ only in the moment at which entries are deleted.
 */
public abstract class KeyedEntries extends NamedStrategy {
  private final Retraction retraction;

  protected KeyedEntries(String name, String purpose, Retraction retraction) {
    super(name, purpose);
    this.retraction = retraction;
  }

  @Override
  public final Retraction retraction() {
    return retraction;
  }

  @Override
  public final List<Put> write(Index index, BaseVersion version) {
    return index.entries(version).stream().map(entry -> put(index, entry)).toList();
  }

  @Override
  public final List<Entry> read(Index index, Result row) {
    List<Entry> entries = new ArrayList<>(row.size());
    for (Cell cell : row.rawCells()) {
      entries.add(index.codec().decode(cell));
    }
    entries.sort((a, b) -> Long.compare(b.timestamp(), a.timestamp()));
    return entries;
  }

  @Override
  public final Optional<Cell> without(Index index, Cell cell, Set<Entry> stale) {
    return stale.contains(index.codec().decode(cell)) ? Optional.empty() : Optional.of(cell);
  }

  @Override
  public final Optional<Cell> retract(Index index, Entry entry) {
    byte[] row = index.codec().row(entry);
    return EntryCodec.isOutOfReach(index.table(), row)
        ? Optional.empty()
        : Optional.of(EntryCodec.marker(row, entry.writeId().toBytes(), entry));
  }

  @Override
  public final Optional<Get> find(Index index, Entry entry) {
    return super.find(index, entry).map(get -> get.setTimestamp(entry.timestamp()));
  }

  @Override
  public final Lookup lookup(Index index, ValuePredicate predicate) {
    TokenRange tokens = EntryCodec.storable(index.tokenizer().range(predicate));
    return new Lookup(
        index.table(),
        index.codec().rows(tokens),
        tokens,
        row -> read(index, row),
        index.definition().order() == EntryOrder.BY_TIME && tokens.isSingle()
            ? Lookup.Rows.NEWEST_FIRST
            : Lookup.Rows.UNORDERED,
        index.codec().buckets());
  }

  @Override
  public final boolean ordersEntries() {
    return true;
  }

  @Override
  public final boolean joinsColumns() {
    return true;
  }

  @Override
  public final boolean isSaltable() {
    return true;
  }

  /** Estimates the cost of one row of the index table for each entry. */
  @Override
  public final Optional<Cost> cost(Workload work) {
    boolean reads = retraction == Retraction.AT_WRITE;
    return Optional.of(
        work.withTable(
            name(),
            2 + (reads ? work.updates() : 0),
            reads ? 1 : 0,
            work.entryBytes(),
            retraction == Retraction.AT_DELETE ? work.everWritten() : 1,
            work.entryBytes()));
  }

  private static Put put(Index index, Entry entry) {
    byte[] row = index.codec().row(entry);
    if (EntryCodec.isTooLong(row)) {
      throw new IllegalArgumentException(
          "the entry of a token of %d bytes and a row key of %d bytes exceeds HBase's row limit, less the name of a region: %d bytes. Use a tokenizer that shortens the value."
              .formatted(entry.token().length, entry.key().length, EntryCodec.LONGEST_ROW));
    }
    return EntryCodec.put(row, entry);
  }
}
