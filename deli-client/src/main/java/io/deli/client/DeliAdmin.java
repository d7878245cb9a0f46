package io.deli.client;

import io.deli.client.internal.admin.GarbageCollection;
import io.deli.client.internal.admin.IndexCreation;
import io.deli.client.internal.admin.IndexGenerations;
import io.deli.client.internal.admin.IndexSampler;
import io.deli.client.internal.admin.Permissions;
import io.deli.client.internal.admin.Schema;
import io.deli.client.internal.build.Build;
import io.deli.client.internal.build.TokenSample;
import io.deli.client.internal.verify.Verification;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.InvalidIndexException;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * Creates, drops and looks after indexes.
 *
 * <p>Definitions live in the base table's descriptor, so every change alters that table. Clients
 * notice a change when their cached definitions expire ({@code deli.definitions.lease.ms}); an
 * index created on a table in use therefore lacks rows written by others in between, unless it is
 * built. Changes to one table must not run at the same time. Thread-safe; holds no resources of its
 * own.
 */
public final class DeliAdmin {
  private final Connection connection;
  private final Schema schema;

  private DeliAdmin(Connection connection) {
    this.connection = connection;
    this.schema = new Schema(connection);
  }

  /** An admin on a plain or a DELI connection, which stays the caller's to close. */
  public static DeliAdmin of(Connection connection) {
    return new DeliAdmin(connection);
  }

  /** Creates an index with one region; refuses a table that has rows. */
  public void createIndex(TableName table, IndexDefinition definition) throws IOException {
    createIndex(table, definition, CreateIndexOptions.DEFAULT);
  }

  /**
   * Creates an index and its table, if the strategy keeps one, and attaches the coprocessor.
   *
   * <p>Everything is checked before anything is changed: the definition, the table, its rows, and
   * that every region server that holds a region can load the coprocessor (a server that cannot
   * would abort). If a step fails, those before it are undone; but if rows came meanwhile, or the
   * last step fails, which lets readers use it, the index stays {@code BUILDING}, and {@link
   * #build} completes it. As after {@link #enable}, clients may write without it for one lease of
   * definitions more; options that build it leave no such gap.
   *
   * @throws InvalidIndexException if the definition does not fit the table
   * @throws IOException if the table is missing, has rows that the options do not accept, or lacks
   *     the coprocessor though region servers should maintain an index of it; if the cluster
   *     refuses
   */
  public void createIndex(TableName table, IndexDefinition definition, CreateIndexOptions options)
      throws IOException {
    boolean keepsTable = IndexDefinitions.indexTable(table, definition).isPresent();
    IndexCreation creation = new IndexCreation(connection, schema);
    IndexDefinition fresh = creation.fresh(table, definition);
    if (!keepsTable) {
      creation.create(table, fresh, options, List::of);
    } else if (options.existingRows() == ExistingRows.BUILD) {
      // Regions must know of it before writers do, or they would not keep the write ids sent.
      IndexDefinition unused = fresh.withState(IndexState.DISABLED);
      creation.create(table, unused, options, () -> sampled(table, unused, options.regions()));
      try {
        schema.replace(table, unused, Build.begun(fresh));
      } catch (IOException | RuntimeException e) {
        creation.undo(table, unused, e);
        throw e;
      }
    } else {
      IndexDefinition unread = fresh.withState(IndexState.BUILDING);
      creation.create(table, unread, options, List::of);
      schema.activate(table, unread, options.existingRows());
    }
  }

  private List<byte[]> sampled(TableName table, IndexDefinition definition, int regions)
      throws IOException {
    return regions == 1
        ? List.of()
        : TokenSample.splits(connection, Index.of(table, definition), regions);
  }

  /**
   * Builds an index, so that it holds the rows that were there before it, while others read and
   * write the table; or goes on with a build that ended too early, from this machine or another.
   *
   * <p>An index that was created to be built ({@link ExistingRows#BUILD}) is maintained from then
   * on. This waits until no client writes without it ({@code deli.definitions.lease.ms}), reads the
   * table, writes the entries of all its versions, and makes the index {@code ACTIVE}. One that is
   * {@code DISABLED} gets another table to be filled, with the regions and settings of the one that
   * it had, except such as lose entries; one that is {@code DETACHED} is given one. One whose
   * strategy keeps no table is {@code ACTIVE} at once. The coprocessor is set again if it was taken
   * away.
   *
   * <p>One that is {@code ACTIVE} stays in use: another table is filled beside the one that is
   * read, and writers maintain both. When it is complete, it is read in the place of the other,
   * which is deleted when no client reads it any more, after another lease.
   *
   * <p>What is done is remembered in a table {@code <table>.<index>.build}, which is there until
   * the build is done or the index is disabled or dropped. Whoever builds must be allowed to create
   * tables, and to read all cells.
   *
   * @throws IOException if the index is being built by another process, or is changed meanwhile; if
   *     it is in use and its table is missing, disabled, or was altered so that it loses entries,
   *     so that what was built may be gone; if the coprocessor was taken away from region servers
   *     that maintain an index of the table
   */
  public BuildReport build(
      TableName table, String index, BuildOptions options, ProgressListener progress)
      throws IOException {
    return new Build(connection, schema, options, progress).run(table, index);
  }

  /**
   * Builds an index as {@link #build(TableName, String, BuildOptions, ProgressListener)} does, but
   * has an engine read the table and write the entries.
   *
   * @throws InvalidIndexException if the engine cannot build such an index
   */
  public BuildReport build(
      TableName table, String index, BuildEngine engine, ProgressListener progress)
      throws IOException {
    return new Build(connection, schema, engine, progress).run(table, index);
  }

  /** Returns the progress of an index build, running or not; empty if there is none. */
  public Optional<BuildProgress> buildProgress(TableName table, String index) throws IOException {
    return Build.progress(connection, table, describe(table, index));
  }

  /**
   * Drops an index and its tables. The coprocessor is detached with the last one. Of an {@linkplain
   * #orphans() orphan}, only tables are there to drop.
   *
   * <p>Queries are refused at once by those who hear of it, and by all others when a lease of
   * definitions is over. For so long this waits, and writers keep the index.
   */
  public void dropIndex(TableName table, String index) throws IOException {
    IndexGenerations tables = new IndexGenerations(connection);
    if (tables.isOrphan(table, index)) {
      Build.forget(connection, table, index);
      tables.deleteOrphan(table, index);
    } else {
      IndexDefinition definition = describe(table, index);
      // First: once the index is gone, nobody would come back for what is left of a build.
      Build.forget(connection, table, index);
      schema.drop(table, definition);
      // Again: a builder may have begun before the index was gone.
      Build.forget(connection, table, index);
    }
    schema.detach(table);
  }

  /**
   * The index tables that no index has: left of tables which were dropped, or lost their
   * definitions, and of builds that ended too early, by name. Those that earlier releases made are
   * not all known for what they are.
   */
  public List<TableName> orphans() throws IOException {
    return new IndexGenerations(connection).unnamed();
  }

  /**
   * Stops the maintenance and use of an index, as when its table is in trouble and holds up
   * writers. Its entries stay; what a build has written beside them goes.
   *
   * <p>Waits a lease of definitions, as {@link #dropIndex} does, unless the table is missing or
   * disabled.
   *
   * @throws IOException if the cluster refuses; says so if the index is disabled, and only what a
   *     build has written is not this user's to delete
   */
  public void disable(TableName table, String index) throws IOException {
    IndexDefinition former = describe(table, index);
    schema.disable(table, former);
    try {
      schema.deleteSuperseded(table, former);
      // An older definition that somebody sets back would have that build gone on with.
      Build.forget(connection, table, index);
    } catch (AccessDeniedException e) {
      throw new DoNotRetryIOException(
          "index '%1$s' of table %2$s is disabled, but this user may not delete what its builds left (tables %3$s.*). Have a user with ADMIN on these run deli disable-index %2$s %1$s again."
              .formatted(index, table, IndexDefinitions.indexTable(table, index)),
          e);
    }
  }

  /**
   * Takes a disabled index into use again. What was written while it was disabled lacks entries, so
   * a table with rows is refused unless the caller accepts that; {@link #build} is what has no such
   * gap, also if rows come meanwhile, which leaves it {@code BUILDING}. One that is {@code
   * DETACHED} and whose table was cloned, too, is taken over, whatever is in it. For one lease of
   * definitions more, clients may write without it.
   *
   * <p>Sets the coprocessor again, if it was taken away, as {@link #build} does.
   *
   * @throws IOException if the index has no table, or one that was altered so that it loses
   *     entries; if the table has rows that the caller does not accept; if an index of the table
   *     that region servers maintain was in use without the coprocessor
   */
  public void enable(TableName table, String index, ExistingRows existingRows) throws IOException {
    if (existingRows == ExistingRows.BUILD) {
      throw new IllegalArgumentException(
          "enabling an index does not index existing rows. Build it instead.");
    }
    IndexDefinition definition = describe(table, index);
    schema.requireKeeping(table, definition);
    schema.attach(table, definition);
    if (definition.state() != IndexState.ACTIVE) {
      if (IndexDefinitions.indexTable(table, definition).isPresent()) {
        schema.requireTable(table, definition);
        schema.requireNoRows(
            table,
            index,
            existingRows,
            "build it (deli build), or add --leave-existing-unindexed (LEAVE_UNINDEXED)");
        // Rows may have come since to what an earlier build had read: none is gone on with, and no
        // descriptor from before makes the index readable.
        IndexDefinition unread = Build.begun(definition);
        schema.replace(table, definition, unread);
        schema.activate(table, unread, existingRows);
      } else {
        schema.replace(table, definition, definition.withState(IndexState.ACTIVE));
      }
    }
  }

  /** The indexes of a table, by name. */
  public List<IndexDefinition> list(TableName table) throws IOException {
    return schema.definitions(table);
  }

  /**
   * Returns the definition of an index.
   *
   * @throws InvalidIndexException if the table has no such index; names those it has
   */
  public IndexDefinition describe(TableName table, String index) throws IOException {
    return schema.definition(table, index);
  }

  /**
   * Gives users the permissions on a table's index tables that they have on the table, and takes
   * away others. New indexes have them; it is to be repeated whenever those on the table change.
   * Users with permissions on the indexed column or its family only get reading and writing.
   *
   * @return all that users may do now
   * @throws DoNotRetryIOException if the cluster asks for no permissions
   */
  public List<IndexPermission> mirrorPermissions(TableName table) throws IOException {
    Permissions permissions = new Permissions(connection);
    if (!permissions.enforced()) {
      throw new DoNotRetryIOException(
          "cannot mirror permissions: authorization is off on this cluster. Set hbase.security.authorization first.");
    }
    List<IndexPermission> all = new ArrayList<>();
    for (IndexDefinition definition : list(table)) {
      for (IndexDefinition generation : definition.generations()) {
        // What has its name only is another's, and what is not there is whose it will be.
        if (schema.hasTable(table, generation)) {
          all.addAll(permissions.mirror(Index.of(table, generation)));
        }
      }
    }
    return all;
  }

  /**
   * Collects the garbage of a table's indexes: flushes and major-compacts the base table, which
   * deletes the entries of the versions that die, then does the same to the index tables, which
   * frees the space. Blocks until done; safe to repeat and to interrupt.
   *
   * @return also names the regions that were left, see {@link CollectReport#left}
   * @throws DoNotRetryIOException if the table is never compacted
   */
  public CollectReport collect(TableName table, ProgressListener progress) throws IOException {
    return collect(table, CollectOptions.DEFAULT, progress);
  }

  /** Collects as {@link #collect(TableName, ProgressListener)} does, region by region. */
  public CollectReport collect(TableName table, CollectOptions options, ProgressListener progress)
      throws IOException {
    return new GarbageCollection(connection, schema, progress).run(table, options);
  }

  /** The regions of a table by start key, and when each was last compacted, as servers tell. */
  public List<CollectedRegion> regions(TableName table) throws IOException {
    return new GarbageCollection(connection, schema, ProgressListener.NONE).ledger(table);
  }

  /**
   * Compares an index with its base table, in both directions, while others write: first each
   * version's entries are looked for, then each entry's version. What does not fit counts only if
   * it still does not a while later, and an entry only if it is older than {@code
   * deli.repair.grace.ms}. To be run by a user who sees all cells: what labels hide seems missing.
   *
   * <p>Blocks until done, or until the time that the options give is up. Holds nothing on the
   * cluster; safe to interrupt and to repeat. Tells the listener where it could go on.
   *
   * @throws InvalidIndexException if the strategy keeps no table to compare with
   * @throws VerifyFailedException if it ended early, with what it found until then
   */
  public VerifyReport verify(
      TableName table, String name, VerifyOptions options, ProgressListener progress)
      throws IOException {
    return verification(table, name, options, progress).run();
  }

  /**
   * Verifies as {@link #verify(TableName, String, VerifyOptions, ProgressListener)} does, but has
   * an engine read the tables, all of them and at full speed. One that fails is begun anew.
   *
   * @throws IllegalArgumentException if the options have a position, a time or a rate
   */
  public VerifyReport verify(
      TableName table,
      String name,
      VerifyOptions options,
      VerifyEngine engine,
      ProgressListener progress)
      throws IOException {
    return verification(table, name, options, progress).run(engine);
  }

  private Verification verification(
      TableName table, String name, VerifyOptions options, ProgressListener progress)
      throws IOException {
    Index index = Index.of(table, describe(table, name));
    if (!index.strategy().keepsTable()) {
      throw new InvalidIndexException(
          "index '%s' cannot be verified: strategy '%s' has no index table."
              .formatted(name, index.strategy().name()));
    }
    schema.requireTable(table, index.definition());
    return new Verification(connection, index, options, progress);
  }

  /**
   * Counts the entries of an index and checks a random sample of them against the base table.
   *
   * @param sample how many entries to check
   */
  public IndexStatistics statistics(
      TableName table, String index, int sample, ProgressListener progress) throws IOException {
    return new IndexSampler(connection, schema, progress).run(table, index, sample);
  }
}
