package io.deli.config;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Every key that DELI reads, but for those of one strategy: {@link
 * io.deli.strategy.Strategies#settings} has them, too.
 */
public final class DeliSettings {
  /** Age below which an entry's writer may still be in flight. */
  public static final Setting<Long> REPAIR_GRACE =
      Setting.amount(
          "deli.repair.grace.ms",
          600_000,
          "Milliseconds before read repair may delete an entry without a base version. A write"
              + " that takes longer than half of it has its entries written again. The same on"
              + " clients and region servers.");

  public static final Setting<Integer> REPAIR_QUEUE =
      Setting.count(
          "deli.repair.queue",
          1_000,
          0,
          "Suspect entries that wait for repair at most; beyond, a later read will find them again.");

  /** Makes it safe to backfill a new index while others write to the table. */
  public static final Setting<Long> DEFINITIONS_LEASE =
      Setting.amount(
          "deli.definitions.lease.ms",
          10_000,
          "Milliseconds after which a client acknowledges no write on index definitions read"
              + " earlier: it reads them again first. Whoever builds an index waits so long before"
              + " it reads the table. The same on all clients.");

  public static final Setting<Long> BUILD_FILES_AGE =
      Setting.amount(
          "deli.build.files.age.ms",
          30_000,
          "Milliseconds after which a thread that builds an index with --files has the entries that it holds loaded, however few they are; what a build repeats that was killed.");

  public static final Setting<Integer> READ_PAGE =
      Setting.count(
          "deli.read.page", 256, 1, "Index entries that readValue reads and verifies at a time.");

  public static final Setting<Integer> READ_DIRECT =
      Setting.count(
          "deli.read.direct",
          2,
          1,
          "Requests to a region server among which concurrent lookups in a table by embedded and"
              + " next are divided.");

  public static final Setting<Long> READ_MEMORY =
      Setting.amount(
          "deli.read.memory.bytes",
          16L << 20,
          "Bytes of memory in which a query remembers the rows that it has given, 20 to 50 for each, and those that it will give later. Beyond it, a row may come twice that is given, and then moves ahead within the range. The rows that mostRecent has yet to look at may take as much again; beyond it, their entries are read several times.");

  public static final Setting<Long> READ_SKEW =
      Setting.amount(
          "deli.read.skew.ms",
          60_000,
          "Milliseconds before a query began from which on an entry's timestamp may be that of a"
              + " write which ended later. Half is for clocks that differ: regions refuse timestamps"
              + " older than half. At its end a query looks again at rows whose entries are as young.");

  public static final Setting<Long> SLOW_QUERY =
      Setting.amount(
          "deli.slow.query.ms",
          10_000,
          "Milliseconds from which on a client logs a query by value as slow, with what it read; 0"
              + " switches that off.");

  public static final Setting<Integer> SLOW_QUERY_VALUES =
      Setting.count(
          "deli.slow.query.value.bytes",
          32,
          0,
          "Bytes of each value of a condition that the log of slow queries shows; 0 where values"
              + " must not be in logs.");

  public static final Setting<Integer> WRITE_DIRECT =
      Setting.count(
          "deli.write.direct",
          16,
          1,
          "Single operations in flight to a region server beyond which operations are combined; where there are no entries to write, to a table.");

  public static final Setting<Integer> WRITE_COMBINED =
      Setting.count(
          "deli.write.combined",
          1,
          1,
          "Combined requests in flight to a region server at a time, each in up to 4 parts by"
              + " region; one more for each of them while 30 operations or more wait.");

  public static final Setting<Boolean> WRITE_COLOCATED =
      Setting.flag(
          "deli.write.colocated",
          true,
          "Write rows and their entries by one request where one region server has both; read"
              + " handlers serve it, where hbase.ipc.server.callqueue.read.ratio has any.");

  public static final Setting<Integer> WRITE_BATCH =
      Setting.count("deli.write.batch", 1_000, 1, "Operations in one combined request at most.");

  public static final Setting<Integer> WRITE_QUEUE =
      Setting.count(
          "deli.write.queue",
          20_000,
          1,
          "Operations on a table that blocking callers of one connection may have under way; others"
              + " wait.");

  public static final Setting<Boolean> ADMISSION =
      Setting.flag(
          "deli.write.admission",
          true,
          "Whether a region refuses timestamps drawn by DELI clients that are older than the row's"
              + " newest write, ahead of the region server's clock, or behind it by most of the repair"
              + " grace; the client then draws anew. Without, the order of writes is that of clients'"
              + " clocks. The table descriptor may override it.");

  public static final Setting<Boolean> CLIENT_METRICS =
      Setting.flag(
          "deli.client.metrics.enable",
          true,
          "Whether a connection measures its reads and writes, and publishes that by JMX.");

  public static final Setting<String> ORACLE =
      Setting.text(
          "deli.oracle.class",
          "",
          "Class that draws the timestamps of writes; by default the clock, made increasing.");

  public static final Setting<GcMode> GC_MODE =
      Setting.choice(
          "deli.gc.mode",
          GcMode.STREAMING,
          "When index garbage is collected: streaming (while the base compacts), before (in a pass"
              + " ahead of every compaction), staged (in a pass after it, the versions to be"
              + " dropped by the next) or off. The table descriptor may override it.");

  public static final Setting<Long> GC_WINDOW =
      Setting.amount(
          "deli.gc.window.bytes",
          8L << 20,
          "Bytes of memory for one collection window: base cells that wait, and the index deletes"
              + " that they wait for. A compaction holds as many as deli.gc.windows.inflight says,"
              + " and the one being filled.");

  public static final Setting<Integer> GC_WINDOWS =
      Setting.count(
          "deli.gc.windows.inflight",
          2,
          1,
          "Windows that may wait while the compaction reads on, and requests to index tables that"
              + " may be under way for them.");

  public static final Setting<Long> GC_TIMEOUT =
      Setting.amount(
          "deli.gc.timeout.ms",
          10_000,
          "Milliseconds for which an index table may acknowledge none of the deletes that a"
              + " compaction has sent; then, or when it was waited for 60 times as long in all,"
              + " that compaction asks it no more, and writes the versions back.");

  public static final Setting<Double> GC_GARBAGE =
      Setting.share(
          "deli.gc.garbage.ratio",
          0,
          "Share of garbage, from 0 to 1, among the versions of indexed columns in a family's files of one region; above it, by an estimate after a flush, the region asks HBase to compact them all. 0 switches that off. The table descriptor may override it.");

  public static final Setting<Long> GC_GARBAGE_INTERVAL =
      Setting.amount(
          "deli.gc.garbage.interval.ms",
          3_600_000,
          "Milliseconds after a compaction of all these files, and after such a request, before"
              + " deli.gc.garbage.ratio makes a region ask for another. The table descriptor may"
              + " override it.");

  public static final Setting<Long> SERVER_TIMEOUT =
      Setting.amount(
          "deli.server.timeout.ms",
          10_000,
          "Milliseconds that a region server waits for an index that it maintains to take the entries of a write, before it refuses the write, which the client then tries again.");

  public static final Setting<Integer> SERVER_HANDLERS =
      Setting.count(
          "deli.server.handlers.percent",
          50,
          1,
          "Share of a region server's handlers that may wait for indexes at a time; a write that finds no room within a tenth of a second is refused, for the client to try again.");

  public static final Setting<Long> BLOCK_INDEX_CACHE =
      Setting.amount(
          "deli.block.index.cache.bytes",
          64L << 20,
          "Bytes of memory on a region server to cache what embedded and next indexes know of files; what does not fit is read again when needed, and built again hourly at most.");

  public static final Setting<Long> BLOCK_INDEX_WRITE =
      Setting.amount(
          "deli.block.index.write.bytes",
          256L << 20,
          "Bytes of memory for an embedded or next index of one file while it is written; a file whose index needs more is written without, and lookups search all of it. The table descriptor may override it.");

  public static final Setting<Long> MEMORY_INDEX =
      Setting.amount(
          "deli.memory.index.bytes",
          64L << 20,
          "Bytes of memory on a region server for the indexes, embedded and next, of what was not"
              + " flushed yet; where they need more, lookups look at every cell of a store's memory"
              + " until its next flush. A lookup of the newest hits holds a sixteenth as much at"
              + " most; where it needs more, it looks at all candidates.");

  /** Empty: the coprocessor is on the region servers' class path. */
  public static final Setting<String> COPROCESSOR_JAR =
      Setting.text(
          "deli.coprocessor.jar",
          "",
          "Path of the coprocessor jar on a file system that all servers share, such as"
              + " hdfs:///hbase/lib/deli.jar; empty if it is on their class path.");

  private DeliSettings() {}

  /** Returns these settings, sorted by key. */
  public static List<Setting<?>> all() {
    return Arrays.stream(DeliSettings.class.getFields())
        .<Setting<?>>map(DeliSettings::setting)
        .sorted(Comparator.comparing(Setting::key))
        .toList();
  }

  private static Setting<?> setting(Field field) {
    try {
      return (Setting<?>) field.get(null);
    } catch (IllegalAccessException e) {
      throw new AssertionError(field + " is public", e);
    }
  }
}
