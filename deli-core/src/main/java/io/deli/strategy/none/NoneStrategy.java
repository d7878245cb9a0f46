package io.deli.strategy.none;

import com.google.auto.service.AutoService;
import io.deli.entry.Entry;
import io.deli.index.Index;
import io.deli.query.ValuePredicate;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Lookup;
import io.deli.strategy.Retraction;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/** Keeps nothing; the base table is scanned. */
@AutoService(IndexStrategy.class)
public final class NoneStrategy implements IndexStrategy {
  @Override
  public String name() {
    return "none";
  }

  @Override
  public boolean keepsTable() {
    return false;
  }

  @Override
  public List<Put> write(Index index, BaseVersion version) {
    return List.of();
  }

  @Override
  public List<Entry> read(Index index, Result row) {
    return List.of();
  }

  @Override
  public List<Delete> retract(Index index, Entry entry) {
    return List.of();
  }

  @Override
  public Retraction retraction() {
    return Retraction.NEVER;
  }

  @Override
  public Lookup lookup(Index index, ValuePredicate predicate) {
    return Lookup.ofBaseRows(index, index.tokenizer().range(predicate));
  }
}
