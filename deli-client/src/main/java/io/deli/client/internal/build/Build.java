package io.deli.client.internal.build;

import io.deli.client.BuildEngine;
import io.deli.client.BuildEngine.Written;
import io.deli.client.BuildOptions;
import io.deli.client.BuildProgress;
import io.deli.client.BuildReport;
import io.deli.client.ProgressListener;
import io.deli.client.internal.Pauses;
import io.deli.client.internal.TaggedConnection;
import io.deli.client.internal.admin.Collection;
import io.deli.client.internal.admin.IndexCreation;
import io.deli.client.internal.admin.Schema;
import io.deli.config.DeliSettings;
import io.deli.index.Index;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.Maintenance;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** Builds an index, or goes on with a build that ended too early; see the package. */
public final class Build {
  private final Connection connection;
  private final Schema schema;
  private final Work work;
  private final ProgressListener progress;

  private Build(Connection connection, Schema schema, Work work, ProgressListener progress) {
    this.connection = connection;
    this.schema = schema;
    this.work = work;
    this.progress = progress;
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
    return named(definition.withState(IndexState.BUILDING));
  }

  private static IndexDefinition named(IndexDefinition definition) {
    return definition.withOption(IndexDefinition.BUILD, Instant.now().toString());
  }

  /** How far the build of an index is; empty if there is none. */
  public static Optional<BuildProgress> progress(Connection connection, Index index)
      throws IOException {
    return Ledger.progress(
        connection,
        index.table(),
        index.definition().options().getOrDefault(IndexDefinition.BUILD, ""));
  }

  /** Forgets what a build of the index did. */
  public static void forget(Connection connection, TableName indexTable) throws IOException {
    Ledger.drop(connection, indexTable);
  }

  public BuildReport run(TableName table, String name) throws IOException {
    Index index = Index.of(table, schema.definition(table, name));
    if (!index.strategy().keepsTable()) {
      schema.attach(table, index.definition());
      schema.replace(table, index.definition(), index.definition().withState(IndexState.ACTIVE));
      return BuildReport.NOTHING;
    }
    work.requireFit(index.definition());
    requireUnfinished(index);
    if (index.definition().state().maintained()) {
      schema.requireKeeping(table, index.definition());
    }
    schema.attach(table, index.definition());
    if (!schema.hasTable(table, index.definition())) {
      new IndexCreation(connection, schema).requireNoTable(index);
    }
    // Entries are to be those that garbage collection will name, by the write ids in the tags.
    try (Connection own = TaggedConnection.open(connection);
        Ledger ledger = Ledger.open(own, index.table());
        Tenure tenure = Tenure.begin(ledger, 2 * leaseMillis(), progress)) {
      BuildReport report = run(own, table, name, ledger, tenure);
      Ledger.drop(own, index.table());
      return report;
    }
  }

  private void requireUnfinished(Index index) throws IOException {
    if (index.definition().state() == IndexState.ACTIVE) {
      // Left by one that ended between its last two steps.
      Ledger.drop(connection, index.table());
      throw new DoNotRetryIOException(
          "index '%s' of table %s is ACTIVE, so there is nothing to build; to build it anew, disable it first"
              .formatted(index.name(), index.baseTable()));
    }
  }

  /** By one builder at a time. */
  private BuildReport run(
      Connection own, TableName table, String name, Ledger ledger, Tenure tenure)
      throws IOException {
    IndexDefinition definition = published(Index.of(table, schema.definition(table, name)), tenure);
    Index index = Index.of(table, definition);
    String build = definition.options().get(IndexDefinition.BUILD);
    Optional<String> known = ledger.layout(build);
    String layout = known.isPresent() ? known.get() : ledger.begin(build, KeyRanges.of(own, table));
    if (!ledger.isSettled(build)) {
      awaitLease("waiting for writers to notice index " + name);
      if (definition.maintenance() == Maintenance.SERVER) {
        // Regions know no lease. Whoever published the index may have died before all had noticed.
        schema.reopen(table);
      }
      new Collection(connection, schema, progress).settle(index);
      ledger.settled(build);
    }
    List<KeyRange> ranges = ledger.ranges(layout);
    long begun = System.nanoTime();
    Written written =
        work.run(new Site(own, schema, index, ledger, layout, tenure, progress), ranges);
    Duration reading = Duration.ofNanos(System.nanoTime() - begun);
    tenure.confirm();
    schema.replace(table, definition, definition.withState(IndexState.ACTIVE));
    return new BuildReport(
        written.rows(),
        written.entries(),
        written.refused(),
        (int) ranges.stream().filter(KeyRange::done).count(),
        ranges.size(),
        reading);
  }

  /** The definition that writers know by now, or will within a lease. */
  private IndexDefinition published(Index index, Tenure tenure) throws IOException {
    IndexDefinition definition = index.definition();
    requireUnfinished(index);
    if (!definition.state().maintained()) {
      definition = emptied(index, tenure);
    } else if (definition.options().containsKey(IndexDefinition.BUILD)) {
      return definition;
    }
    IndexDefinition begun = begun(definition);
    schema.replace(index.baseTable(), definition, begun);
    return begun;
  }

  /**
   * Empties an index that is not maintained, for its tombstones would mask entries, or gives it a
   * table. It is given a new name first, so that one which was taken into use again, or made anew,
   * is known from it.
   *
   * @return the definition, which is still disabled
   */
  private IndexDefinition emptied(Index index, Tenure tenure) throws IOException {
    boolean hasTable = schema.hasTable(index.baseTable(), index.definition());
    IndexDefinition claimed = named(index.definition().withState(IndexState.DISABLED));
    schema.replace(index.baseTable(), index.definition(), claimed);
    // Writers that have not heard of its end still need its table.
    awaitLease("waiting for writers to leave index " + index.name());
    requireStillOurs(index, claimed, tenure);
    IndexCreation creation = new IndexCreation(connection, schema);
    if (hasTable) {
      truncate(index, claimed, tenure);
    } else {
      creation.createTable(index);
    }
    // Also of a table whose maker got no further.
    creation.permit(index);
    tenure.confirm();
    return claimed;
  }

  private void truncate(Index index, IndexDefinition claimed, Tenure tenure) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (admin.isTableEnabled(index.table())) {
        admin.disableTable(index.table());
      }
      requireStillOurs(index, claimed, tenure);
      schema.strengthen(index);
      admin.truncateTable(index.table(), true);
    }
  }

  private void requireStillOurs(Index index, IndexDefinition claimed, Tenure tenure)
      throws IOException {
    tenure.confirm();
    schema.requireUnchanged(index.baseTable(), claimed);
  }

  private long leaseMillis() {
    return DeliSettings.DEFINITIONS_LEASE.get(connection.getConfiguration());
  }

  /** By this machine's clock, which may be a tenth faster than others. */
  private void awaitLease(String stage) throws IOException {
    long total = leaseMillis() + leaseMillis() / 10 + 1;
    long begun = System.nanoTime();
    long waited = 0;
    while (waited <= total) {
      progress.progress(stage, waited, total);
      Pauses.pause(Duration.ofMillis(Math.min(100, total - waited + 1)));
      waited = Duration.ofNanos(System.nanoTime() - begun).toMillis();
    }
    progress.progress(stage, total, total);
  }
}
