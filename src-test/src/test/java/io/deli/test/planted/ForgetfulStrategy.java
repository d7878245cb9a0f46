package io.deli.test.planted;

import io.deli.index.Index;
import io.deli.query.ValuePredicate;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Lookup;
import io.deli.strategy.deferred.DeferredStrategy;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;

/**
 * Deletes the entry of a dead version whatever its timestamp, and with it that of an equal value
 * written later.
 */
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
  public List<Delete> rewrite(Index index, BaseVersion dying) {
    return sound.rewrite(index, dying).stream().map(exact -> new Delete(exact.getRow())).toList();
  }

  @Override
  public Lookup lookup(Index index, ValuePredicate predicate) {
    return sound.lookup(index, predicate);
  }
}
