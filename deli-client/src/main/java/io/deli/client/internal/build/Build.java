package io.deli.client.internal.build;

import io.deli.client.BuildEngine;
import io.deli.client.BuildEngine.Written;
import io.deli.client.BuildOptions;
import io.deli.client.BuildProgress;
import io.deli.client.BuildReport;
import io.deli.client.ProgressListener;
import io.deli.client.internal.TaggedConnection;
import io.deli.client.internal.admin.Collection;
import io.deli.client.internal.admin.EntryTables;
import io.deli.client.internal.admin.IndexCreation;
import io.deli.client.internal.admin.Lease;
import io.deli.client.internal.admin.Schema;
import io.deli.index.Index;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexDefinitions;
import io.deli.index.IndexState;
import io.deli.index.Maintenance;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/** Builds an index, or goes on with a build that ended too early; see the package. */
public final class Build {
  private final Connection connection;
  private final Schema schema;
  private final Work work;
  private final ProgressListener progress;
  private final Lease lease;

  private Build(Connection connection, Schema schema, Work work, ProgressListener progress) {
    this.connection = connection;
    this.schema = schema;
    this.work = work;
    this.progress = progress;
    this.lease = Lease.of(connection);
  }

  /** One by threads of this process. */
  public Build(
      Connection connection, Schema schema, BuildOptions options, ProgressListener progress) {
    this(connection, schema, new ThreadedWork(options), progress);
  }

  public Build(
      Connection connection, Schema schema, BuildEngine engine, ProgressListener progress) {
    this(connection, schema, new EngineWork(engine), progress);
  }

  /** The definition as the beginning of a build. */
  public static IndexDefinition begun(IndexDefinition definition) {
    return definition
        .withState(IndexState.BUILDING)
        .withOption(IndexDefinition.BUILD, Instant.now().toString());
  }

  /** How far the build of an index is; empty if there is none. */
  public static Optional<BuildProgress> progress(
      Connection connection, TableName table, IndexDefinition definition) throws IOException {
    return Ledger.progress(
        connection, IndexDefinitions.indexTable(table, definition.name()), build(definition));
  }

  /** The build that is under way, as the ledger knows it. */
  private static String build(IndexDefinition published) {
    return published.isRebuilt()
        ? "generation " + published.beside()
        : published.options().getOrDefault(IndexDefinition.BUILD, "");
  }

  /** Forgets what builds of an index did. */
  public static void forget(Connection connection, TableName table, String index)
      throws IOException {
    Ledger.drop(connection, IndexDefinitions.indexTable(table, index));
  }

  public BuildReport run(TableName table, String name) throws IOException {
    Index index = Index.of(table, schema.definition(table, name));
    if (!index.strategy().keepsTable()) {
      schema.attach(table, index.definition());
      schema.replace(table, index.definition(), index.definition().withState(IndexState.ACTIVE));
      return BuildReport.NOTHING;
    }
    work.requireFit(index.definition());
    requireSound(index);
    schema.attach(table, index.definition());
    // Entries are to be those that garbage collection will name, by the write ids in the tags.
    try (Connection own = TaggedConnection.open(connection);
        Ledger ledger = Ledger.open(own, IndexDefinitions.indexTable(table, name));
        Tenure tenure = Tenure.begin(ledger, 2 * lease.millis(), progress)) {
      BuildReport report = run(own, table, name, ledger, tenure);
      forget(own, table, name);
      return report;
    }
  }

  /** What is maintained must be all there; what is in use cannot be mended while it is. */
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

  /** By one builder at a time. */
  private BuildReport run(
      Connection own, TableName table, String name, Ledger ledger, Tenure tenure)
      throws IOException {
    IndexDefinition published =
        published(Index.of(table, schema.definition(table, name)), ledger, tenure);
    BuildReport report = BuildReport.NOTHING;
    if (published.state() == IndexState.BUILDING || published.isRebuilt()) {
      report = fill(own, table, published, ledger, tenure);
      tenure.confirm();
      published = inUse(table, published);
    }
    if (published.beside() > 0) {
      // Readers by older definitions still go to the other table.
      lease.await("waiting for readers to leave the former table of index " + name, progress);
      tenure.confirm();
      schema.replace(table, published, published.at(published.generation()));
    }
    schema.deleteSuperseded(table, published);
    return report;
  }

  private BuildReport fill(
      Connection own, TableName table, IndexDefinition published, Ledger ledger, Tenure tenure)
      throws IOException {
    Index index =
        Index.of(table, published.isRebuilt() ? published.at(published.beside()) : published);
    String build = build(published);
    Optional<String> known = ledger.layout(build);
    String layout = known.isPresent() ? known.get() : ledger.begin(build, KeyRanges.of(own, table));
    if (!ledger.isSettled(build)) {
      lease.await("waiting for writers to notice index " + index.name(), progress);
      if (published.maintenance() == Maintenance.SERVER) {
        // Regions know no lease. Whoever published the index may have died before all had noticed.
        schema.reopen(table);
      }
      new Collection(connection, schema, progress).settle(index);
      ledger.settled(build);
    }
    List<KeyRange> ranges = ledger.ranges(layout);
    long begun = System.nanoTime();
    Written written =
        work.run(new Site(own, schema, published, index, ledger, layout, tenure, progress), ranges);
    return new BuildReport(
        written.rows(),
        written.entries(),
        written.refused(),
        written.refusal(),
        (int) ranges.stream().filter(KeyRange::done).count(),
        ranges.size(),
        Duration.ofNanos(System.nanoTime() - begun));
  }

  /** Publishes what is filled as what is read; writers keep for readers what these still read. */
  private IndexDefinition inUse(TableName table, IndexDefinition published) throws IOException {
    IndexDefinition next =
        published.isRebuilt() ? published.switched() : published.withState(IndexState.ACTIVE);
    schema.replace(table, published, next);
    return next;
  }

  /** The definition that writers know by now, or will within a lease. */
  private IndexDefinition published(Index index, Ledger ledger, Tenure tenure) throws IOException {
    IndexDefinition present = index.definition();
    boolean begun = present.options().containsKey(IndexDefinition.BUILD);
    if (present.beside() > 0 || (present.state() == IndexState.BUILDING && begun)) {
      return present;
    }
    if (present.state() == IndexState.BUILDING) {
      IndexDefinition named = begun(present);
      schema.replace(index.baseTable(), present, named);
      return named;
    }
    // Of a table that had the name of this one, and an index that had its generations.
    ledger.forget();
    return withTable(index, tenure);
  }

  /**
   * Publishes an index with a table to be filled: beside the one that is read, or in the place of
   * one that lacks entries by now, and has tombstones that would mask them. Whoever goes by older
   * definitions meets another table, or none.
   */
  private IndexDefinition withTable(Index index, Tenure tenure) throws IOException {
    TableName table = index.baseTable();
    IndexDefinition present = index.definition();
    Optional<TableName> former =
        schema.hasTable(table, present) ? Optional.of(index.table()) : Optional.empty();
    if (present.state() == IndexState.DISABLED && former.isEmpty()) {
      // The base table may have come back from a snapshot, without a memory of later generations.
      lease.await("waiting for readers to leave index " + index.name(), progress);
    }
    int generation =
        present.state() == IndexState.DETACHED && former.isEmpty()
            ? present.generation()
            : new EntryTables(connection).next(schema.descriptor(table), index.name());
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
      tenure.confirm();
      schema.replace(table, present, published);
    } catch (IOException | RuntimeException e) {
      schema.undo(table, filled, e);
      throw e;
    }
    if (present.state() != IndexState.ACTIVE) {
      schema.deleteSuperseded(table, present);
    }
    return published;
  }
}
