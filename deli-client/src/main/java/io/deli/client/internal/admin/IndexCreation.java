package io.deli.client.internal.admin;

import io.deli.client.CreateIndexOptions;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.index.KeyColumn;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.service.PrimaryRegions;
import io.deli.strategy.EntryCondition;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.IndexTables;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Creates an index: checks everything, then takes each step, undoing them if one fails. */
public final class IndexCreation {
  /** Bytes that file systems take for a name. */
  private static final int LONGEST_NAME = 255;

  /** The last one whose table is known by its name. */
  private static final int LAST_GENERATION = 999_999_999;

  private final Connection connection;
  private final Schema schema;
  private final IndexGenerations entries;

  public IndexCreation(Connection connection, Schema schema) {
    this.connection = connection;
    this.schema = schema;
    this.entries = new IndexGenerations(connection);
  }

  /**
   * Rows of the index table at which it, or each of its buckets, is split; asked for when the rest
   * is checked.
   */
  public interface Splits {
    List<byte[]> rows() throws IOException;
  }

  /** The definition of a new index, of a generation that no other has had. */
  public IndexDefinition fresh(TableName table, IndexDefinition definition) throws IOException {
    return IndexDefinitions.indexTable(table, definition).isPresent()
        ? definition.at(entries.next(schema.descriptor(table), definition.name()))
        : definition;
  }

  /**
   * Creates an index.
   *
   * @param more splits, beside those at the options' values
   */
  public void create(
      TableName table, IndexDefinition definition, CreateIndexOptions options, Splits more)
      throws IOException {
    TableDescriptor base = schema.descriptor(table);
    Index index = Index.of(table, definition);
    TableDescriptor indexTable = IndexTables.descriptor(base, definition);
    boolean keepsTable = index.strategy().keepsTable();
    requireNewName(base, index);
    requireMatchable(base, definition);
    Schema.requireMaintained(base);
    if (keepsTable) {
      requireShortName(index);
      requireNoTable(index);
      schema.requireNoRows(
          table,
          definition.name(),
          options.existingRows(),
          "add --build, or --leave-existing-unindexed (BUILD or LEAVE_UNINDEXED of ExistingRows)");
    }
    CoprocessorSource source = new CoprocessorSource(connection);
    source.requireLoadable(table, definition);
    byte[][] splits = splits(index, options.splits(), more.rows());

    if (keepsTable) {
      // Ahead of the table, whose presence alone keeps users from writing, see Schema#detach.
      boolean attached = schema.attach(table, definition);
      createOrDetach(table, attached, indexTable, source, splits);
    }
    try {
      if (keepsTable) {
        // Ahead of the definition: from then on every writer writes to the index.
        permit(index);
      }
      schema.add(table, definition, source);
    } catch (IOException | RuntimeException e) {
      undo(table, definition, e);
      throw e;
    }
  }

  /**
   * Creates the table of an index that has none.
   *
   * @param former the table that it had, whose regions and settings the new one gets; empty for one
   *     region, or one for each bucket
   */
  public void createTable(Index index, Optional<TableName> former) throws IOException {
    requireNoTable(index);
    TableDescriptor made =
        IndexTables.descriptor(schema.descriptor(index.baseTable()), index.definition());
    CoprocessorSource source = new CoprocessorSource(connection);
    source.requireLoadable(Set.of());
    if (former.isEmpty()) {
      create(made, source, splits(index, List.of(), List.of()));
      return;
    }
    byte[][] splits =
        Stream.of(PrimaryRegions.startKeys(connection, former.get()))
            .filter(key -> key.length > 0)
            .toArray(byte[][]::new);
    create(IndexTables.following(schema.descriptor(former.get()), made), source, splits);
  }

  private void createOrDetach(
      TableName base,
      boolean attached,
      TableDescriptor indexTable,
      CoprocessorSource source,
      byte[][] splits)
      throws IOException {
    try {
      create(indexTable, source, splits);
    } catch (DoNotRetryIOException | RuntimeException e) {
      // It was refused; after other failures the table may be there yet.
      try {
        if (attached) {
          schema.detach(base);
        }
      } catch (IOException | RuntimeException further) {
        e.addSuppressed(further);
      }
      throw e;
    }
  }

  private void create(TableDescriptor table, CoprocessorSource source, byte[][] splits)
      throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(observed(table, source), splits);
    }
  }

  /** Gives users on the index's table the permissions that they have on the base table. */
  public void permit(Index index) throws IOException {
    Permissions permissions = new Permissions(connection);
    if (permissions.enforced()) {
      permissions.mirror(index);
    }
  }

  /** Attaches the coprocessor to a table whose regions merge its rows or drop stale entries. */
  private static TableDescriptor observed(TableDescriptor table, CoprocessorSource source)
      throws IOException {
    boolean needed =
        IndexTables.mergingStrategy(table).isPresent() || IndexTables.dropsStaleEntries(table);
    return needed && !table.hasCoprocessor(Schema.COPROCESSOR)
        ? TableDescriptorBuilder.newBuilder(table).setCoprocessor(source.descriptor()).build()
        : table;
  }

  private static void requireNewName(TableDescriptor base, Index index) {
    TableName table = base.getTableName();
    if (IndexDefinitions.of(base).stream().anyMatch(d -> d.name().equals(index.name()))) {
      throw new InvalidIndexException(
          "table %s has an index '%s' already. Build or drop it, or choose another name."
              .formatted(table, index.name()));
    }
  }

  /**
   * Throws if the value of a partial index's condition is none of the type that another index gives
   * the condition's column: a row that has the value is none that the other index takes.
   */
  private static void requireMatchable(TableDescriptor base, IndexDefinition added) {
    for (IndexDefinition present : IndexDefinitions.of(base)) {
      requireMatchable(added, present, "Encode the condition's value as %3$s.");
      requireMatchable(
          present, added, "Drop index '%1$s', create index '%4$s', then create '%1$s' again.");
    }
  }

  private static void requireMatchable(
      IndexDefinition partial, IndexDefinition typed, String remedy) {
    for (KeyColumn key : typed.columns()) {
      EntryCondition.of(partial)
          .filter(condition -> condition.column().equals(key.column()))
          .filter(condition -> !key.type().takes(condition.value()))
          .ifPresent(
              condition -> {
                throw new InvalidIndexException(
                    ("index '%1$s' has only rows with %2$s, but index '%4$s' takes only %3$s there: index '%1$s' would stay empty. "
                            + remedy)
                        .formatted(partial.name(), condition, key.type(), typed.name()));
              });
    }
  }

  /**
   * Throws if the name of a table that the index may come to have, for a generation or for a build,
   * is longer than file systems take: HBase's master would try for ever to create that table.
   */
  public static void requireShortName(Index index) {
    TableName longest =
        IndexDefinitions.indexTable(index.baseTable(), index.name(), LAST_GENERATION);
    int length = longest.getQualifier().length;
    if (length > LONGEST_NAME) {
      throw new InvalidIndexException(
          "index '%s' of table %s would have tables with names of up to %d bytes: file systems take %d. Choose a shorter name for the index."
              .formatted(index.name(), index.baseTable(), length, LONGEST_NAME));
    }
  }

  /** Throws if there is a table of the name that the index's would have. */
  public void requireNoTable(Index index) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (admin.tableExists(index.table())) {
        boolean left = IndexTables.isIndexTable(admin.getDescriptor(index.table()));
        throw new DoNotRetryIOException(
            "table %s, which would hold index '%s' of %s, exists already. %s"
                .formatted(
                    index.table(),
                    index.name(),
                    index.baseTable(),
                    left
                        ? "It is left of an index of that name: drop that first (deli drop-index)."
                        : "Delete or rename it."));
      }
    }
  }

  private static byte[][] splits(Index index, List<byte[]> values, List<byte[]> rows) {
    if (!values.isEmpty() && !index.strategy().keepsTable()) {
      throw new InvalidIndexException(
          "index '%s': strategy '%s' has no index table to split. Leave the splits out."
              .formatted(index.name(), index.strategy().name()));
    }
    Set<byte[]> splits = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    splits.addAll(rows);
    for (byte[] value : values) {
      splits.add(index.strategy().lookup(index, new EqualTo(value)).startRow());
    }
    return index.codec().buckets().splits(splits).toArray(byte[][]::new);
  }

  /** Removes an index that was created in part, unless another process has changed it meanwhile. */
  public void undo(TableName table, IndexDefinition definition, Exception cause) {
    try {
      List<IndexDefinition> definitions = schema.definitions(table);
      if (definitions.contains(definition)) {
        schema.remove(table, definition);
      } else if (definitions.stream().anyMatch(d -> d.name().equals(definition.name()))
          || UnconfirmedAlterationException.isCause(cause)) {
        return;
      }
      for (TableName indexTable : IndexDefinitions.indexTables(table, definition)) {
        entries.delete(indexTable);
      }
      schema.detach(table);
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
    }
  }
}
