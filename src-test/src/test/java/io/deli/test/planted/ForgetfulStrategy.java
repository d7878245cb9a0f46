package io.deli.test.planted;

import com.google.auto.service.AutoService;
import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.query.ValuePredicate;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Lookup;
import io.deli.strategy.Retraction;
import io.deli.strategy.deferred.DeferredStrategy;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/**
 * Deletes the entry of a dead version whatever its timestamp, and with it that of an equal value
 * written later.
 */
@AutoService(IndexStrategy.class)
public final class ForgetfulStrategy implements IndexStrategy {
  static final String NAME = "planted-forgetful";

  private final IndexStrategy sound = new DeferredStrategy();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Put> write(Index index, BaseVersion version) {
    return sound.write(index, version);
  }

  @Override
  public List<Entry> read(Index index, Result row) {
    return sound.read(index, row);
  }

  @Override
  public Optional<Cell> retract(Index index, Entry entry) {
    return sound
        .retract(index, entry)
        .map(
            marker ->
                new KeyValue(
                    CellUtil.cloneRow(marker),
                    EntryCodec.family(),
                    null,
                    HConstants.LATEST_TIMESTAMP,
                    KeyValue.Type.DeleteFamily));
  }

  @Override
  public Retraction retraction() {
    return sound.retraction();
  }

  @Override
  public Lookup lookup(Index index, ValuePredicate predicate) {
    return sound.lookup(index, predicate);
  }
}
