package io.deli.client.internal.admin;

import io.deli.client.ProgressListener;
import io.deli.index.IndexTableName;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.IndexTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Finds and deletes the tables of an index's generations.
 *
 * <p>A table that no definition names has entries that nobody keeps. It may be that of a generation
 * which was superseded by a process that died before it deleted the table, or an orphan: left of a
 * base table that was dropped, or lost its definition.
 */
public record IndexGenerations(Connection connection) {
  /**
   * The number of a generation that no table of the index has had, nor has now; 1 if it never had
   * any, as far as the base table remembers.
   */
  public int next(TableDescriptor base, String index) throws IOException {
    int next = 1 + IndexDefinitions.lastGeneration(base, index);
    try (Admin admin = connection.getAdmin()) {
      while (next > 1
          && admin.tableExists(IndexDefinitions.indexTable(base.getTableName(), index, next))) {
        next++;
      }
    }
    return next;
  }

  /**
   * Deletes the tables of an index that no definition names.
   *
   * @param former tables that it had by an earlier definition, and those that only have such a name
   *     are not among
   */
  public void deleteSuperseded(TableName base, String index, Collection<TableName> former)
      throws IOException {
    Set<TableName> superseded = new HashSet<>(former);
    superseded.addAll(generations(base, index));
    for (TableName table : superseded) {
      if (!isNamed(table)) {
        delete(table);
      }
    }
  }

  /**
   * Deletes a table that was made for an index, unless its definition came to name it, or may yet.
   */
  public void undo(TableName base, Index made, Exception cause) {
    if (UnconfirmedAlterationException.isCause(cause)) {
      return;
    }
    try {
      deleteSuperseded(base, made.name(), List.of(made.table()));
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  /** The index tables that by their names may hold a generation of an index. */
  private List<TableName> generations(TableName base, String index) throws IOException {
    String first = IndexDefinitions.indexTable(base, index).getNameAsString();
    List<TableName> tables = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      for (TableName table :
          admin.listTableNames(Pattern.compile(Pattern.quote(first) + "(\\.[1-9][0-9]*)?"))) {
        if (IndexTables.isIndexTable(admin.getDescriptor(table))) {
          tables.add(table);
        }
      }
    }
    return tables;
  }

  /** Whether a definition names the table. One that cannot be read may name any of its index. */
  private boolean isNamed(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (IndexTableName reading : IndexTableName.readings(table)) {
        if (admin.tableExists(reading.base())
            && names(admin.getDescriptor(reading.base()), table, reading)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean names(TableDescriptor base, TableName table, IndexTableName reading) {
    try {
      return IndexDefinitions.of(base).stream()
          .anyMatch(
              definition ->
                  definition.name().equals(reading.index())
                      && IndexDefinitions.indexTables(base.getTableName(), definition)
                          .contains(table));
    } catch (InvalidIndexException e) {
      return IndexDefinitions.names(base).contains(reading.index());
    }
  }

  /** Whether there are tables of an index which its base table does not have, or is gone. */
  public boolean isOrphan(TableName base, String index) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (admin.tableExists(base)
          && IndexDefinitions.names(admin.getDescriptor(base)).contains(index)) {
        return false;
      }
    }
    return hasUnnamed(base, index);
  }

  /** Whether there are tables of an index that no definition names. */
  boolean hasUnnamed(TableName base, String index) throws IOException {
    for (TableName table : generations(base, index)) {
      if (!isNamed(table)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Deletes an orphan's tables, unless one proves to be that of an index which is just made. Waits
   * a lease before: no base table remembers the generations, so that the first is given out again
   * when its table is gone, and readers may have older definitions.
   */
  public void deleteOrphan(TableName base, String index) throws IOException {
    List<TableName> orphans = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      for (TableName table : generations(base, index)) {
        if (!isNamed(table)) {
          if (admin.isTableEnabled(table)) {
            admin.disableTable(table);
          }
          orphans.add(table);
        }
      }
    }
    DefinitionLease.of(connection)
        .await("waiting for readers to leave index " + index, ProgressListener.NONE);
    for (TableName table : orphans) {
      if (isNamed(table)) {
        // Not enabled again: if its base table came back from a snapshot, entries may be missing.
        throw new DoNotRetryIOException(
            "index '%s' of table %s was created meanwhile, and its table %s is now disabled. Rebuild it (deli disable-index, deli build), or drop it."
                .formatted(index, base, table));
      }
      delete(table);
    }
  }

  /**
   * The index tables that no definition names.
   *
   * @return by name
   */
  public List<TableName> unnamed() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      Map<TableName, TableDescriptor> all = new TreeMap<>();
      admin.listTableDescriptors().forEach(table -> all.put(table.getTableName(), table));
      return all.values().stream()
          .filter(IndexTables::isIndexTable)
          .map(TableDescriptor::getTableName)
          // A backup may have any name.
          .filter(table -> !IndexTableName.readings(table).isEmpty())
          .filter(
              table ->
                  IndexTableName.readings(table).stream()
                      .filter(reading -> all.containsKey(reading.base()))
                      .noneMatch(reading -> names(all.get(reading.base()), table, reading)))
          .toList();
    }
  }

  /** Deletes a table, if it is there. */
  public void delete(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(table)) {
        return;
      }
      if (admin.isTableEnabled(table)) {
        admin.disableTable(table);
      }
      admin.deleteTable(table);
    }
  }
}
