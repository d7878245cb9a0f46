package io.deli.coprocessor.internal.guard;

import io.deli.coprocessor.DeliRegionObserver;
import io.deli.strategy.IndexDefinitions;
import java.util.Optional;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** A table with indexes that region servers maintain, if it has such. */
final class ServedTable {
  private static final String OBSERVER = DeliRegionObserver.class.getName();

  private ServedTable() {}

  /**
   * Why the table must not be altered so: it would come to be without the coprocessor to which
   * clients leave an index.
   */
  static Optional<String> bared(TableDescriptor present, TableDescriptor altered) {
    return isBare(altered) && !isBare(present)
        ? Optional.of(
            ("table %s would have indexes that region servers maintain, on %s, but not the"
                    + " coprocessor %s that does so: queries would miss rows in silence; nothing was"
                    + " changed. Leave or set the coprocessor, or first disable these indexes (deli"
                    + " disable-index) or drop them (deli drop-index)")
                .formatted(
                    present.getTableName(),
                    IndexDefinitions.serverMaintainedColumns(altered),
                    OBSERVER))
        : Optional.empty();
  }

  private static boolean isBare(TableDescriptor table) {
    return !table.hasCoprocessor(OBSERVER)
        && !IndexDefinitions.serverMaintainedColumns(table).isEmpty();
  }
}
