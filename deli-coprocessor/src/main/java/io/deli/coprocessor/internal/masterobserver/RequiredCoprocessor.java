package io.deli.coprocessor.internal.masterobserver;

import io.deli.coprocessor.DeliRegionObserver;
import io.deli.strategy.IndexDefinitions;
import java.util.Optional;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** The coprocessor that a table needs whose indexes region servers maintain. */
final class RequiredCoprocessor {
  private static final String OBSERVER = DeliRegionObserver.class.getName();

  private RequiredCoprocessor() {}

  /**
   * The reason to refuse an alteration that takes the coprocessor from a table whose clients leave
   * an index to it.
   */
  static Optional<String> removed(TableDescriptor present, TableDescriptor altered) {
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
