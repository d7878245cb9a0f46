package io.deli.client.internal.write;

import io.deli.client.WriteRefusedException;
import io.deli.entry.WriteId;
import io.deli.index.Index;
import io.deli.strategy.BaseVersion;
import java.util.List;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A base version and the index Puts it needs. The Puts take durability, priority and time to live
 * from the mutation that asks for them.
 */
public record IndexedVersion(Index index, BaseVersion version, Mutation origin, List<Put> puts) {
  /**
   * The version as an index sees it.
   *
   * @throws WriteRefusedException if the index cannot hold the value
   */
  static IndexedVersion of(Index index, BaseVersion version, Mutation origin)
      throws WriteRefusedException {
    List<Put> puts;
    try {
      puts = index.strategy().write(index, version);
    } catch (RuntimeException e) {
      // A tokenizer may be the user's own code.
      throw new WriteRefusedException(
          "table %s, row '%s', column %s, index '%s': %s"
              .formatted(
                  index.baseTable(),
                  Bytes.toStringBinary(version.key()),
                  index.column(),
                  index.name(),
                  e.getMessage()),
          e);
    }
    puts.forEach(put -> inherit(put, origin));
    return new IndexedVersion(index, version, origin, puts);
  }

  private static void inherit(Put put, Mutation origin) {
    if (origin.getDurability() != Durability.USE_DEFAULT) {
      put.setDurability(origin.getDurability());
    }
    if (origin.getTTL() != Long.MAX_VALUE) {
      put.setTTL(origin.getTTL());
    }
    put.setPriority(origin.getPriority());
  }

  /** The same version with other entries. */
  IndexedVersion under(WriteId id) throws WriteRefusedException {
    return of(
        index, new BaseVersion(version.key(), version.value(), version.timestamp(), id), origin);
  }

  /** Takes the entries back, and no others. */
  List<Delete> deletes() {
    return index.retract(version);
  }
}
