package io.deli.client.internal.build;

import io.deli.client.BuildEngine;
import io.deli.client.BuildEngine.Written;
import io.deli.client.BuildOptions;
import io.deli.client.BuildProgress;
import io.deli.client.BuildReport;
import io.deli.client.ProgressListener;
import io.deli.client.internal.RangeSplitter;
import io.deli.client.internal.TaggedConnection;
import io.deli.client.internal.admin.DefinitionLease;
import io.deli.client.internal.admin.GarbageCollection;
import io.deli.client.internal.admin.IndexCreation;
import io.deli.client.internal.admin.IndexGenerations;
import io.deli.client.internal.admin.Schema;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/** Builds an index, or goes on with a build that ended too early; see the package. */
public record Build(
    Connection connection, Schema schema, Backfill work, ProgressListener progress) {
  /** Reads ranges of base rows and writes their entries: the long step of a build. */
  interface Backfill {
    /**
     * Checks the index before anything is changed.
     *
     * @throws io.deli.index.InvalidIndexException if such an index cannot be backfilled
     */
    void requireFit(IndexDefinition definition);

    /** Processes the unfinished ranges and records each as done. */
    Written run(BuildContext context, List<BuildCheckpoint.Range> ranges) throws IOException;
  }

  private DefinitionLease definitionLease() {
    return DefinitionLease.of(connection);
  }

  /** Creates a build that runs in threads of this process. */
  public Build(
      Connection connection, Schema schema, BuildOptions options, ProgressListener progress) {
    this(connection, schema, new ThreadedBackfill(options), progress);
  }

  public Build(
      Connection connection, Schema schema, BuildEngine engine, ProgressListener progress) {
    this(connection, schema, new EngineBackfill(engine), progress);
  }

  /** Returns the definition in state {@code BUILDING}, with the id of a new build. */
  public static IndexDefinition begun(IndexDefinition definition) {
    return definition
        .withState(IndexState.BUILDING)
        .withOption(IndexDefinition.BUILD, Instant.now().toString());
  }

  /** Returns the progress of an index build; empty if there is none. */
  public static Optional<BuildProgress> progress(
      Connection connection, TableName table, IndexDefinition definition) throws IOException {
    return BuildCheckpoint.progress(
        connection, IndexDefinitions.indexTable(table, definition.name()), build(definition));
  }

  /** Returns the id under which the checkpoint table knows the build. */
  private static String build(IndexDefinition published) {
    return published.isRebuilt()
        ? "generation " + published.beside()
        : published.options().getOrDefault(IndexDefinition.BUILD, "");
  }

  /** Drops the checkpoint table of an index. */
  public static void forget(Connection connection, TableName table, String index)
      throws IOException {
    BuildCheckpoint.drop(connection, IndexDefinitions.indexTable(table, index));
  }

  public BuildReport run(TableName table, String name) throws IOException {
    Index index = Index.of(table, schema.definition(table, name));
    if (!index.strategy().keepsTable()) {
      schema.attach(table, index.definition());
      schema.replace(table, index.definition(), index.definition().withState(IndexState.ACTIVE));
      return BuildReport.NOTHING;
    }
    work.requireFit(index.definition());
    IndexCreation.requireShortName(index);
    requireSound(index);
    schema.attach(table, index.definition());
    // Entries are to be those that garbage collection will name, by the write ids in the tags.
    try (Connection own = TaggedConnection.open(connection);
        BuildCheckpoint checkpoint =
            BuildCheckpoint.open(own, IndexDefinitions.indexTable(table, name));
        BuildLease lease = BuildLease.begin(checkpoint, 2 * definitionLease().millis(), progress)) {
      BuildReport report = run(own, table, name, checkpoint, lease);
      forget(own, table, name);
      return report;
    }
  }

  /** Requires the index tables to be complete: an index in use cannot be repaired by a build. */
  private void requireSound(Index index) throws IOException {
    IndexDefinition definition = index.definition();
    if (definition.state() == IndexState.ACTIVE) {
      schema.requireUsable(index.baseTable(), definition);
    }
    if (definition.state().maintained()) {
      schema.requireTable(index.baseTable(), definition);
      for (IndexDefinition generation : definition.generations()) {
        schema.requireKeeping(index.baseTable(), generation);
      }
    }
  }

  /** Runs the build under the lease. */
  private BuildReport run(
      Connection own, TableName table, String name, BuildCheckpoint checkpoint, BuildLease lease)
      throws IOException {
    IndexDefinition published =
        published(Index.of(table, schema.definition(table, name)), checkpoint, lease);
    BuildReport report = BuildReport.NOTHING;
    if (published.state() == IndexState.BUILDING || published.isRebuilt()) {
      report = fill(own, table, published, checkpoint, lease);
      lease.confirm();
      published = inUse(table, published);
    }
    if (published.beside() > 0) {
      // Readers by older definitions still go to the other table.
      definitionLease()
          .await("waiting for readers to leave the former table of index " + name, progress);
      lease.confirm();
      schema.replace(table, published, published.at(published.generation()));
    }
    schema.deleteSuperseded(table, published);
    return report;
  }

  private BuildReport fill(
      Connection own,
      TableName table,
      IndexDefinition published,
      BuildCheckpoint checkpoint,
      BuildLease lease)
      throws IOException {
    Index index =
        Index.of(table, published.isRebuilt() ? published.at(published.beside()) : published);
    String build = build(published);
    Optional<String> known = checkpoint.layout(build);
    String layout =
        known.isPresent() ? known.get() : checkpoint.begin(build, RangeSplitter.split(own, table));
    if (!checkpoint.isSettled(build)) {
      definitionLease().await("waiting for writers to notice index " + index.name(), progress);
      // Versions written during the lease must be in files, and no flush or compaction in flight.
      schema.reopen(table);
      new GarbageCollection(connection, schema, progress).settle(index);
      checkpoint.settled(build);
    }
    List<BuildCheckpoint.Range> ranges = checkpoint.ranges(layout);
    long begun = System.nanoTime();
    Written written =
        work.run(
            new BuildContext(own, schema, published, index, checkpoint, layout, lease, progress),
            ranges);
    return new BuildReport(
        written.rows(),
        written.entries(),
        written.refused(),
        written.refusal(),
        (int) ranges.stream().filter(BuildCheckpoint.Range::done).count(),
        ranges.size(),
        Duration.ofNanos(System.nanoTime() - begun));
  }

  /**
   * Publishes the filled table as the one that is read; writers also maintain the former one for
   * readers with older definitions.
   */
  private IndexDefinition inUse(TableName table, IndexDefinition published) throws IOException {
    IndexDefinition filled = published.isRebuilt() ? published.switched() : published;
    // Who began to drop or disable a rebuilt index, and died, left it unread.
    IndexDefinition next = filled.withState(IndexState.ACTIVE);
    schema.replace(table, published, next);
    return next;
  }

  /** Publishes the index as being built, unless it is, and returns the definition. */
  private IndexDefinition published(Index index, BuildCheckpoint checkpoint, BuildLease lease)
      throws IOException {
    IndexDefinition present = index.definition();
    boolean begun = present.options().containsKey(IndexDefinition.BUILD);
    if (present.beside() > 0 || (present.state() == IndexState.BUILDING && begun)) {
      if (!checkpoint.isSettled(build(present))) {
        // Clients may learn definitions from regions, and the process that published this one may
        // have died before all regions were reopened: the lease would begin too early.
        schema.reopen(index.baseTable());
      }
      return present;
    }
    if (present.state() == IndexState.BUILDING) {
      IndexDefinition named = begun(present);
      schema.replace(index.baseTable(), present, named);
      return named;
    }
    // Of a table that had the name of this one, and an index that had its generations.
    checkpoint.forget();
    return withTable(index, lease);
  }

  /**
   * Publishes an index with a table to be filled: beside the one that is read, or in the place of
   * one that lacks entries by now, and has tombstones that would mask them. Whoever goes by older
   * definitions meets another table, or none.
   */
  private IndexDefinition withTable(Index index, BuildLease lease) throws IOException {
    TableName table = index.baseTable();
    IndexDefinition present = index.definition();
    Optional<TableName> former =
        schema.hasTable(table, present) ? Optional.of(index.table()) : Optional.empty();
    if (present.state() == IndexState.DISABLED && former.isEmpty()) {
      // The base table may have come back from a snapshot, without a memory of later generations.
      definitionLease().await("waiting for readers to leave index " + index.name(), progress);
    }
    int generation =
        present.state() == IndexState.DETACHED && former.isEmpty()
            ? present.generation()
            : new IndexGenerations(connection).next(schema.descriptor(table), index.name());
    IndexDefinition published =
        present.state() == IndexState.ACTIVE
            ? present.withBeside(generation)
            : begun(present.at(generation));
    Index filled = Index.of(table, published.at(generation));
    IndexCreation creation = new IndexCreation(connection, schema);
    progress.progress("making a table for index " + index.name(), 0, 1);
    creation.createTable(filled, former);
    try {
      creation.permit(filled);
      lease.confirm();
      schema.replace(table, present, published);
    } catch (IOException | RuntimeException e) {
      new IndexGenerations(connection).undo(table, filled, e);
      throw e;
    }
    if (present.state() != IndexState.ACTIVE) {
      schema.deleteSuperseded(table, present);
    }
    return published;
  }
}
