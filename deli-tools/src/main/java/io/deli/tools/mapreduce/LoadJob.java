package io.deli.tools.mapreduce;

import io.deli.client.ProgressListener;
import io.deli.entry.ElapsedTime;
import io.deli.index.InvalidIndexException;
import io.deli.service.LoadMark;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.tools.files.Loading;
import io.deli.tools.files.Staging;
import io.deli.tools.load.Loader.LoadReport;
import io.deli.tools.load.RowFormat;
import io.deli.tools.load.RowMapping;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.HFileOutputFormat2;
import org.apache.hadoop.hbase.mapreduce.MultiTableHFileOutputFormat;
import org.apache.hadoop.io.DefaultStringifier;
import org.apache.hadoop.io.serializer.JavaSerialization;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner;

/**
 * Loads files of rows into a table by a MapReduce job: mappers read lines, reducers write HFiles of
 * the table and of its indexes' tables, a reducer for each region.
 *
 * <p>The index tables load their files first. So readers meet no row without its entries, and a
 * load that fails in between leaves entries that they pass over, and which are repaired days later.
 * The base table's files have a {@link LoadMark}: a region refuses them if the table has other
 * indexes by then, or if it is late.
 *
 * <p>Of a load that fails, some regions may have their files. To load again is harmless, and ends
 * as if the first load had not been, since its rows are newer. Where a region has moved before its
 * answer arrives, HBase may load files twice. That changes nothing, unless a row was deleted, and
 * compacted away, in between: it comes back, without its entries.
 *
 * <p>All cells have one timestamp, by {@link ServerClocks} as the load begins. They hide what was
 * acknowledged before; what is written after the load hides them, and so does what is written
 * meanwhile, though it may have met the older row. Each line is a write with an id of its own,
 * which is the same whenever a task is tried again, and grows from line to line: of lines with one
 * key, the last counts.
 */
public final class LoadJob {
  private static final String SPEC = "deli.job.load";

  /** HBase's setting by which it names directories otherwise. */
  private static final String NAMESPACE_IN_PATHS =
      "hbase.hfileoutputformat.tablename.namespace.inclusive";

  private static final long ID_MILLIS = Duration.ofHours(12).toMillis();

  private final Connection connection;
  private final RowMapping mapping;
  private final RowFormat format;
  private final boolean strict;

  /**
   * A load.
   *
   * @param format without names of columns if each file has them in its first line
   * @param strict whether the first bad line is to end it, and nothing to be loaded
   */
  public LoadJob(Connection connection, RowMapping mapping, RowFormat format, boolean strict) {
    this.connection = connection;
    this.mapping = mapping;
    this.format = format;
    this.strict = strict;
  }

  /**
   * The work of all tasks.
   *
   * @param files in their order
   * @param skipsHeader whether the first line of each is no row
   * @param timestamp of all cells
   * @param writtenAt the time in their write ids
   */
  record Spec(
      RowMapping mapping,
      RowFormat format,
      boolean strict,
      List<String> files,
      boolean skipsHeader,
      long timestamp,
      long writtenAt)
      implements Serializable {
    static Spec of(Configuration conf) throws IOException {
      return text().fromString(conf.get(SPEC));
    }

    void set(Configuration conf) throws IOException {
      conf.set(SPEC, text().toString(this));
    }

    private static DefaultStringifier<Spec> text() {
      Configuration java = new Configuration(false);
      java.set(CommonConfigurationKeys.IO_SERIALIZATIONS_KEY, JavaSerialization.class.getName());
      return new DefaultStringifier<>(java, Spec.class);
    }
  }

  /**
   * Loads files.
   *
   * @param columns of delimited files
   * @param bad hears examples of bad lines, which are skipped
   * @throws InvalidIndexException if an index of the table cannot be loaded so
   * @throws IOException if the indexes were changed meanwhile, or a table does not take its files
   */
  public LoadReport run(
      TableName name,
      List<Path> files,
      List<String> columns,
      Consumer<String> bad,
      ProgressListener progress)
      throws IOException {
    ElapsedTime clock = ElapsedTime.system();
    long begun = clock.getAsLong();
    LocalRunner.requireUsable(connection.getConfiguration(), "leave --mapreduce out");
    TableDescriptor table = descriptor(name);
    List<Index> indexes = IndexDefinitions.maintained(Index.allOf(table));
    indexes.forEach(LoadJob::requireFit);
    LoadMark mark = LoadMark.of(table, ServerClocks.newest(connection));
    Spec spec =
        new Spec(
            mapping,
            format.withColumns(columns),
            strict,
            files.stream().map(Path::toString).toList(),
            format.hasHeader(),
            mark.timestamp(),
            // At random, for another load may have this timestamp, and tombstones this one's ids.
            mark.writtenAt() + ThreadLocalRandom.current().nextLong(ID_MILLIS));
    Loading.Check check =
        () -> {
          long millis = TimeUnit.NANOSECONDS.toMillis(clock.getAsLong() - begun);
          mark.requireCurrent(descriptor(name), mark.timestamp() + millis);
        };
    Loading.Work work = new Loading.Work(check, "load without --mapreduce", "load again");
    try (Staging staging = Staging.open(connection, "deli-load", name)) {
      Loading rows = new Loading(connection, name, work, staging, progress);
      Counters counters = run(table, indexes, mark, spec, rows, bad);
      return new LoadReport(
          counters.findCounter(LoadMapper.Count.ROWS).getValue(),
          counters.findCounter(LoadMapper.Count.BAD).getValue(),
          Duration.ofNanos(clock.getAsLong() - begun));
    }
  }

  private Counters run(
      TableDescriptor table,
      List<Index> indexes,
      LoadMark mark,
      Spec spec,
      Loading rows,
      Consumer<String> bad)
      throws IOException {
    rows.requirePlain();
    List<Loading> entries = indexes.stream().map(index -> rows.into(index.table())).toList();
    for (Loading each : entries) {
      each.requirePlain();
    }
    JobFiles files = new JobFiles(rows.staging());
    Job job = job(table, indexes, spec, files);
    DeliJob.finish(job, files, rows.progress(), rows::checkWithPatience);
    Counters counters = DeliJob.counters(job);
    files.refusals(LoadMapper.EXAMPLES).stream()
        .flatMap(String::lines)
        .limit(LoadMapper.EXAMPLES)
        .forEach(bad);
    for (Loading each : entries) {
      Path own = directory(files, each.table());
      if (each.staging().fileSystem().exists(own)) {
        each.load(own);
      }
    }
    if (counters.findCounter(LoadMapper.Count.ROWS).getValue() > 0) {
      rows.load(marked(directory(files, rows.table()), mark, rows.staging()));
    }
    return counters;
  }

  /** The directory in which HBase writes the files of one of several tables. */
  private static Path directory(JobFiles files, TableName table) {
    return new Path(files.written(), table.getNameAsString().replace(':', '/'));
  }

  private static Path marked(Path own, LoadMark mark, Staging staging) throws IOException {
    Path marked = staging.at(mark.directory());
    if (!staging.fileSystem().rename(own, marked)) {
      throw new IOException("cannot rename %s to %s".formatted(own, marked));
    }
    return marked;
  }

  private static void requireFit(Index index) {
    if (!index.strategy().isServable()) {
      throw new InvalidIndexException(
          "index '%s': strategy '%s' reads what it has for each write, which loaded files would bypass. Load without --mapreduce."
              .formatted(index.name(), index.definition().strategy()));
    }
  }

  private TableDescriptor descriptor(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getDescriptor(table);
    }
  }

  private Job job(TableDescriptor table, List<Index> indexes, Spec spec, JobFiles files)
      throws IOException {
    Job job = DeliJob.of(connection, "deli load " + table.getTableName(), table, files);
    Configuration conf = job.getConfiguration();
    spec.set(conf);
    conf.setBoolean(HFileOutputFormat2.DISK_BASED_SORTING_ENABLED_KEY, false);
    conf.unset(NAMESPACE_IN_PATHS);
    LoadInput.setOn(job);
    job.setMapperClass(LoadMapper.class);
    job.setMapOutputKeyClass(ImmutableBytesWritable.class);
    job.setMapOutputValueClass(KeyValue.class);
    List<TableName> tables = new ArrayList<>(List.of(table.getTableName()));
    indexes.forEach(index -> tables.add(index.table()));
    writeTo(job, tables);
    files.goesWithTheRest(new Path(TotalOrderPartitioner.getPartitionFile(conf)));
    job.setReducerClass(LoadReducer.class);
    FileOutputFormat.setOutputPath(job, files.written());
    DeliJob.bringClasses(job, indexes);
    return job;
  }

  /** HBase's method for this is public; the class of its parameter is not. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private void writeTo(Job job, List<TableName> tables) throws IOException {
    List infos = new ArrayList<>();
    List<RegionLocator> regions = new ArrayList<>();
    try {
      Constructor<?> info =
          Class.forName(HFileOutputFormat2.class.getName() + "$TableInfo")
              .getConstructor(TableDescriptor.class, RegionLocator.class);
      info.setAccessible(true);
      for (TableName table : tables) {
        regions.add(connection.getRegionLocator(table));
        infos.add(info.newInstance(descriptor(table), regions.get(regions.size() - 1)));
      }
      MultiTableHFileOutputFormat.configureIncrementalLoad(job, infos);
    } catch (ReflectiveOperationException e) {
      throw new IOException("this HBase writes no files for several tables", e);
    } finally {
      for (RegionLocator each : regions) {
        each.close();
      }
    }
  }
}
