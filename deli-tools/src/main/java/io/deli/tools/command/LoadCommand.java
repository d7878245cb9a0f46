package io.deli.tools.command;

import io.deli.index.Column;
import io.deli.index.InvalidIndexException;
import io.deli.index.ValueType;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.Session;
import io.deli.tools.Subcommand;
import io.deli.tools.load.Loader;
import io.deli.tools.load.Loader.LoadReport;
import io.deli.tools.load.RecordReader;
import io.deli.tools.load.RecordReader.BadLineException;
import io.deli.tools.load.RowMapping;
import io.deli.tools.mapreduce.LoadJob;
import io.deli.tools.output.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hbase.thirdparty.com.google.common.io.CountingInputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "load",
    description = {
      "Load rows from CSV, TSV or JSON Lines.",
      "Values of indexed columns are encoded as their index says, others as --types says, else as"
          + " text. In keys and values of BYTES, \\xNN is a byte. Bad lines are reported and skipped; the"
          + " exit code is then 3. Of rows with one key, the last counts."
    },
    footer = {
      "",
      "Examples:",
      "  deli load tweets rows.csv --key id",
      "  deli load tweets - --input jsonl --key user,time --key-separator /",
      "  deli load airports airports.dat --key id --escape '\\' --columns id,name,city,country,...",
      "  deli load tweets 'hdfs:///tweets/*.csv' --key id --mapreduce"
    })
public final class LoadCommand extends Subcommand {
  private static final int BAD_LINES_SHOWN = 20;

  @Mixin private Arguments.OfTable table;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      defaultValue = "-",
      paramLabel = "FILE",
      description =
          "The input; - or nothing for standard input. With --mapreduce one or more files on a file"
              + " system of Hadoop's, or patterns of such.")
  private List<String> files;

  @Option(
      names = "--key",
      required = true,
      split = ",",
      paramLabel = "COL",
      description = "Input columns that make the row key.")
  private List<String> key;

  @Option(
      names = "--key-separator",
      defaultValue = "-",
      paramLabel = "TEXT",
      description = "Between the parts of the key (default: ${DEFAULT-VALUE}).")
  private String separator;

  @Option(
      names = "--key-type",
      paramLabel = "TYPE",
      defaultValue = "STRING",
      description = "Encoding of the row key, as of --types (default: ${DEFAULT-VALUE}).")
  private ValueType keyType;

  @Option(
      names = "--family",
      paramLabel = "FAMILY",
      description = "Family of columns without one (default: the table's, if it has one only).")
  private String family;

  @Mixin private Arguments.Types types;

  @Option(
      names = "--skip",
      split = ",",
      paramLabel = "COL",
      description = "Input columns to leave out of the table.")
  private Set<String> skip = Set.of();

  @Option(names = "--strict", description = "Stop at the first bad line, with exit code 1.")
  private boolean strict;

  @Option(
      names = "--mapreduce",
      description =
          "Have a MapReduce job write files of rows and of index entries, which the tables then"
              + " load. It runs where the files of --conf say, in this process by default. All rows"
              + " get the time at which it begins. Values must not have line breaks.")
  private boolean mapReduce;

  @Mixin private InputOptions input;

  @Override
  public Integer call() throws IOException {
    TableName name = table.name();
    checkFiles();
    try (Session session = deli.open()) {
      RowMapping mapping = mapping(session.table(name));
      LoadReport report =
          mapReduce ? loadByJob(session, name, mapping) : load(session, name, mapping);
      print(report);
      return report.bad() == 0 ? ExitCode.OK : ExitCode.PARTIAL;
    }
  }

  private void checkFiles() {
    if (mapReduce) {
      BuildSettings.requireFiles(deli, "--mapreduce");
      if (files.contains("-")) {
        throw Failure.usage("--mapreduce reads no standard input: name the files");
      }
    } else if (files.size() > 1) {
      throw Failure.usage("load one file at a time, or several with --mapreduce");
    } else if (!files.get(0).equals("-")) {
      Names.requireReadable(Path.of(files.get(0)));
    }
    files.forEach(input::check);
  }

  private LoadReport loadByJob(Session session, TableName name, RowMapping mapping)
      throws IOException {
    HadoopInput found =
        HadoopInput.of(
            files,
            session.connection().getConfiguration(),
            input,
            reader -> requireColumns(reader, mapping));
    AtomicLong bad = new AtomicLong();
    try (Progress progress = new Progress(deli.terminal())) {
      LoadReport report =
          new LoadJob(session.connection(), mapping, found.format(), strict)
              .run(
                  name,
                  found.files(),
                  found.columns(),
                  line -> report(line, bad.incrementAndGet()),
                  progress);
      if (report.bad() > bad.get()) {
        report("", BAD_LINES_SHOWN + 1L);
      }
      return report;
    } catch (InvalidIndexException e) {
      throw Failure.usage(e.getMessage());
    }
  }

  private LoadReport load(Session session, TableName name, RowMapping mapping) throws IOException {
    Path path = files.get(0).equals("-") ? null : Path.of(files.get(0));
    long size = path == null ? 0 : Files.size(path);
    AtomicLong bad = new AtomicLong();
    try (InputStream raw = path == null ? deli.terminal().in() : Files.newInputStream(path);
        CountingInputStream counted = new CountingInputStream(raw);
        Progress progress = new Progress(deli.terminal());
        BufferedMutator mutator = session.indexed().getBufferedMutator(name)) {
      long start = System.nanoTime();
      Loader loader =
          new Loader(
              mapping,
              strict,
              line -> report(line.report(), bad.incrementAndGet()),
              rows -> {
                double seconds = Math.max(0.001, (System.nanoTime() - start) / 1e9);
                progress.detail(
                    String.format(Locale.ROOT, "%,d rows, %,.0f rows/s", rows, rows / seconds));
                progress.progress("loading", counted.getCount(), size);
              });
      RecordReader reader = input.format(files.get(0)).reader(counted);
      requireColumns(reader, mapping);
      return loader.load(reader, mutator);
    }
  }

  /**
   * Refuses columns that the table cannot have, and names that no column of the input has, before a
   * row is written; returns the columns.
   */
  private List<String> requireColumns(RecordReader reader, RowMapping mapping) throws IOException {
    List<String> columns;
    try {
      columns = reader.columns();
    } catch (BadLineException e) {
      throw Failure.usage(e.report());
    }
    if (columns.isEmpty()) {
      return columns;
    }
    requireColumns("--key", key, columns, columns::contains);
    requireColumns("--skip", skip, columns, columns::contains);
    mapping.check(columns);
    // With its family or without, each as it may be.
    String family = mapping.family();
    Set<Column> written =
        columns.stream().map(name -> RowMapping.column(family, name)).collect(Collectors.toSet());
    requireColumns(
        "--types",
        types.byColumn().keySet(),
        columns,
        name -> written.contains(RowMapping.column(family, name)));
    return columns;
  }

  private static void requireColumns(
      String option, Collection<String> names, List<String> columns, Predicate<String> isThere) {
    for (String name : names) {
      if (!isThere.test(name)) {
        throw Failure.usage(
            "%s: the input has no column '%s'; it has %s"
                .formatted(option, name, String.join(", ", columns)));
      }
    }
  }

  private void report(String line, long count) {
    if (count <= BAD_LINES_SHOWN) {
      deli.terminal().say(line + "; skipped");
    } else if (count == BAD_LINES_SHOWN + 1) {
      deli.terminal().say("further bad lines are only counted");
    }
  }

  private void print(LoadReport report) {
    String skipped =
        report.bad() == 0
            ? ""
            : String.format(
                Locale.ROOT,
                ", skipped %,d bad line%s",
                report.bad(),
                report.bad() == 1 ? "" : "s");
    double seconds = report.time().toMillis() / 1e3;
    deli.done(
        String.format(
            Locale.ROOT,
            "loaded %,d rows in %.1f s (%,.0f rows/s)%s",
            report.rows(),
            seconds,
            report.rowsPerSecond(),
            skipped),
        Map.of("rows", report.rows(), "skipped", report.bad(), "seconds", seconds));
  }

  private RowMapping mapping(TableDescriptor descriptor) {
    ColumnTypes columns = new ColumnTypes(descriptor, family, types.byColumn());
    return new RowMapping(
        key, separator, keyType, columns.families(), columns.defaultFamily(), columns.all(), skip);
  }
}
