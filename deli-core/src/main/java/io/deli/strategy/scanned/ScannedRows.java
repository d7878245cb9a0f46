package io.deli.strategy.scanned;

import io.deli.entry.Entry;
import io.deli.query.ValuePredicate;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.Lookup;
import io.deli.strategy.NamedStrategy;
import io.deli.strategy.Retraction;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/**
 * Keeps no entries: lookups scan the base table. The strategies that do so differ only in how much
 * of it the region servers read.
 */
public abstract class ScannedRows extends NamedStrategy {
  protected ScannedRows(String name, String purpose) {
    super(name, purpose);
  }

  @Override
  public final boolean keepsTable() {
    return false;
  }

  @Override
  public final List<Put> write(Index index, BaseVersion version) {
    return List.of();
  }

  @Override
  public final List<Entry> read(Index index, Result row) {
    return List.of();
  }

  @Override
  public final Optional<Cell> retract(Index index, Entry entry) {
    return Optional.empty();
  }

  @Override
  public final Retraction retraction() {
    return Retraction.NEVER;
  }

  @Override
  public final Lookup lookup(Index index, ValuePredicate predicate) {
    return Lookup.ofBaseRows(index, index.tokenizer().range(predicate));
  }
}
