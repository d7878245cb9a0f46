package io.deli.coprocessor.internal.masterobserver;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Refuses table operations by which an index would silently miss rows. Makes no request about
 * tables that can have nothing to do with an index.
 */
public final class TableOperationGuard {
  private final MasterTables tables;

  private TableOperationGuard(MasterTables tables) {
    this.tables = tables;
  }

  /**
   * A guard of a master's tables.
   *
   * @param master the master's own connection
   */
  public static TableOperationGuard of(Connection master) {
    return new TableOperationGuard(new MasterTables(master));
  }

  /** Returns the reason to refuse an operation, if any. */
  private interface Check {
    Optional<String> refusal() throws IOException;
  }

  /** Returns the reason to refuse an operation on an index table, by its base table. */
  private interface Rule {
    Optional<String> refusal(IndexTable index, TableDescriptor base) throws IOException;
  }

  /** Checks that an existing table may be restored from a snapshot. */
  public void restore(TableDescriptor restored) throws IOException {
    require(() -> returned(restored, tables.find(restored.getTableName())));
    require(() -> broughtBack(restored.getTableName()));
  }

  /** Checks that a table may be cloned from a snapshot. */
  public void cloneOf(TableDescriptor clone) throws IOException {
    require(() -> returned(clone, Optional.empty()));
    require(() -> broughtBack(clone.getTableName()));
  }

  private Optional<String> returned(TableDescriptor restored, Optional<TableDescriptor> present)
      throws IOException {
    RestoredTable table = RestoredTable.of(restored, present);
    Set<TableName> usable = new HashSet<>();
    for (TableName index : table.indexTables()) {
      if (tables.isUsable(index)) {
        usable.add(index);
      }
    }
    return table.refusal(usable);
  }

  private Optional<String> broughtBack(TableName table) throws IOException {
    return byBase(
        table,
        (index, base) -> {
          Optional<String> refusal = index.restored(base);
          return refusal.isPresent() && tables.isUsable(index.base()) ? refusal : Optional.empty();
        });
  }

  /** Checks that a table may be created; HBase refuses one that exists, or soon will. */
  public void create(TableName table) throws IOException {
    require(
        () ->
            byBase(
                table,
                (index, base) ->
                    // One that is disabled may be gone when its turn comes.
                    tables.isUsable(index.name()) ? Optional.empty() : index.emptied(base)));
  }

  /** Checks that a table may be emptied, in whole or in part. */
  public void empty(TableName table) throws IOException {
    require(() -> byBase(table, IndexTable::emptied));
  }

  /** Checks that a table may be altered. */
  public void alter(TableDescriptor present, TableDescriptor altered) throws IOException {
    require(() -> RequiredCoprocessor.removed(present, altered));
    require(() -> neglected(present, altered));
    require(
        () ->
            IndexTable.isWeaker(altered, present)
                ? byBase(present.getTableName(), IndexTable::weakened)
                : Optional.empty());
  }

  private Optional<String> neglected(TableDescriptor present, TableDescriptor altered)
      throws IOException {
    for (IndexTable table : IndexTableUse.neglected(present, altered)) {
      // One that is disabled may be enabled; one that is gone may not be made again.
      if (tables.find(table.name()).isPresent()) {
        return Optional.of(table.unkept());
      }
    }
    return Optional.empty();
  }

  private Optional<String> byBase(TableName table, Rule rule) throws IOException {
    for (IndexTable index : IndexTable.named(table)) {
      Optional<TableDescriptor> base = tables.find(index.base());
      Optional<String> refusal =
          base.isPresent() ? rule.refusal(index, base.get()) : Optional.empty();
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  private static void require(Check check) throws IOException {
    Optional<String> refusal = check.refusal();
    if (refusal.isPresent()) {
      throw new DoNotRetryIOException(refusal.get());
    }
  }
}
