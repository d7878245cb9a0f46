package io.deli.coprocessor.internal.guard;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Refuses what a master is asked to do if an index would miss rows in silence by it. Nothing is
 * asked about tables that can have nothing to do with an index.
 */
public final class Guard {
  private final MasterTables tables;

  private Guard(MasterTables tables) {
    this.tables = tables;
  }

  /**
   * A guard of a master's tables.
   *
   * @param master the master's own connection
   */
  public static Guard of(Connection master) {
    return new Guard(new MasterTables(master));
  }

  /** What speaks against an operation. */
  private interface Judgement {
    Optional<String> refusal() throws IOException;
  }

  /** What speaks against an operation on an index table, by its base table. */
  private interface Rule {
    Optional<String> refusal(IndexTable index, TableDescriptor base) throws IOException;
  }

  /** A table that is there is to go back to a snapshot. */
  public void restore(TableDescriptor restored) throws IOException {
    require(() -> returned(restored, tables.find(restored.getTableName())));
    require(() -> broughtBack(restored.getTableName()));
  }

  /** A table is to be made of a snapshot. */
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

  /** A table is to be made; one that is there, and will be, is HBase's to refuse. */
  public void create(TableName table) throws IOException {
    require(
        () ->
            byBase(
                table,
                (index, base) ->
                    // One that is disabled may be gone when its turn comes.
                    tables.isUsable(index.name()) ? Optional.empty() : index.emptied(base)));
  }

  /** A table is to be emptied, in whole or in part. */
  public void empty(TableName table) throws IOException {
    require(() -> byBase(table, IndexTable::emptied));
  }

  /** A table is to be altered. */
  public void alter(TableDescriptor present, TableDescriptor altered) throws IOException {
    require(() -> ServedTable.bared(present, altered));
    require(
        () ->
            IndexTable.isWeaker(altered, present)
                ? byBase(present.getTableName(), IndexTable::weakened)
                : Optional.empty());
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

  private static void require(Judgement judgement) throws IOException {
    Optional<String> refusal = judgement.refusal();
    if (refusal.isPresent()) {
      throw new DoNotRetryIOException(refusal.get());
    }
  }
}
