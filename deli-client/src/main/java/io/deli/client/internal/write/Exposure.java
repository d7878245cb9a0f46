package io.deli.client.internal.write;

import io.deli.client.WriteRefusedException;
import io.deli.entry.WriteId;
import io.deli.index.Index;
import io.deli.strategy.BaseVersion;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Delete;

/**
 * The delete of one exact version of an indexed column, which may make older versions current.
 *
 * @param retained versions that the family keeps, and whose entries are therefore there
 * @param raced whether writers take entries out meanwhile, so that it takes another look afterwards
 */
public record Exposure(Index index, byte[] row, int retained, Delete delete, boolean raced) {
  /** The version in a cell, under an id of its own; none if the index does not hold such. */
  List<IndexedVersion> entriesOf(Cell cell, WriteId id) {
    BaseVersion version = BaseVersion.of(cell, id);
    try {
      return List.of(IndexedVersion.of(index, version, delete));
    } catch (WriteRefusedException e) {
      // It got there past this client, and never had an entry.
      return List.of();
    }
  }
}
