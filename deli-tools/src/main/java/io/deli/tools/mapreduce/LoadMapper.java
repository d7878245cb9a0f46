package io.deli.tools.mapreduce;

import io.deli.entry.WriteId;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import io.deli.strategy.JoinedWrites;
import io.deli.tools.files.StoredCells;
import io.deli.tools.load.RecordReader;
import io.deli.tools.load.RecordReader.BadLineException;
import io.deli.tools.load.RecordReader.InputRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.MultiTableHFileOutputFormat;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** Makes the cells of a table and of its indexes of the lines of a part of a file. */
final class LoadMapper extends Mapper<LongWritable, Text, ImmutableBytesWritable, KeyValue> {
  /** Bad lines that a task tells of. */
  static final int EXAMPLES = 20;

  /** Bits of a write id for the place of a line in its file. */
  private static final int PLACE_BITS = 44;

  private final List<String> bad = new ArrayList<>();
  private LoadJob.Spec spec;
  private TableDescriptor table;
  private List<Index> indexes;
  private RecordReader reader;
  private Path file;
  private long firstPlace;
  private boolean atHeader;
  private long place;
  private byte[] line;
  private boolean taken;

  enum Count {
    ROWS,
    BAD
  }

  /** A cell and the table that it goes to. */
  private record Target(TableName table, KeyValue cell) {
    ImmutableBytesWritable key() {
      byte[] row = CellUtil.cloneRow(cell);
      return new ImmutableBytesWritable(
          MultiTableHFileOutputFormat.createCompositeKey(table.getName(), row));
    }
  }

  @Override
  public void run(Context context) throws IOException, InterruptedException {
    try {
      open((FileSplit) context.getInputSplit(), context);
      super.run(context);
      if (!bad.isEmpty()) {
        JobFiles.noteRefusal(context, String.join("\n", bad));
      }
    } catch (IOException | RuntimeException e) {
      JobFiles.note(context, e);
      throw e;
    }
  }

  private void open(FileSplit part, Context context) throws IOException {
    spec = LoadJob.Spec.of(context.getConfiguration());
    table = DeliJob.table(context.getConfiguration());
    indexes = IndexDefinitions.maintained(Index.allOf(table));
    reader = spec.format().reader(this::takeLine);
    file = part.getPath();
    firstPlace = (long) spec.files().indexOf(file.toString()) << PLACE_BITS;
    if (firstPlace < 0) {
      throw new DoNotRetryIOException("%s is none of the files of the load".formatted(file));
    }
    atHeader = spec.skipsHeader() && part.getStart() == 0;
  }

  /**
   * Gives the reader one line.
   *
   * @throws DoNotRetryIOException if it asks for another, where the row goes on: then the next line
   *     would be taken for a row, here or in another part of the file
   */
  private byte[] takeLine() throws DoNotRetryIOException {
    if (taken && !new String(line, StandardCharsets.UTF_8).isBlank()) {
      throw new DoNotRetryIOException(
          "%s, line at byte %d: the row goes on in the next line, as quotes and escapes say; nothing is loaded. Load without --mapreduce, or set --quote."
              .formatted(file, place));
    }
    byte[] next = taken ? null : line;
    taken = true;
    return next;
  }

  @Override
  protected void map(LongWritable key, Text text, Context context)
      throws IOException, InterruptedException {
    place = key.get();
    line = text.copyBytes();
    taken = false;
    if (atHeader) {
      atHeader = line.length == 0;
      return;
    }
    try {
      Optional<InputRecord> row = reader.next();
      if (row.isPresent()) {
        for (Target each : targets(row.get())) {
          context.write(each.key(), each.cell());
        }
        context.getCounter(Count.ROWS).increment(1);
      }
    } catch (BadLineException e) {
      String report = "%s, line at byte %d: %s".formatted(file, place, e.getMessage());
      if (spec.strict()) {
        throw new DoNotRetryIOException(report + "; stopped by --strict, nothing is loaded");
      }
      if (bad.size() < EXAMPLES) {
        bad.add(report);
      }
      context.getCounter(Count.BAD).increment(1);
    }
  }

  /** All cells of a row, before the first is written: one that an index refuses has none. */
  private List<Target> targets(InputRecord row) throws IOException, BadLineException {
    Put put = spec.mapping().put(row, spec.timestamp());
    WriteId id = WriteId.of(spec.writtenAt(), firstPlace + place);
    List<Target> all = new ArrayList<>();
    try {
      for (Index index : indexes) {
        addEntries(index, put, id, all);
      }
    } catch (IllegalArgumentException e) {
      throw new BadLineException(row.line(), e.getMessage());
    }
    for (List<Cell> cells : put.getFamilyCellMap().values()) {
      cells.forEach(
          cell -> all.add(new Target(table.getTableName(), StoredCells.identified(cell, id))));
    }
    return all;
  }

  /** Plans as a client does that writes by a timestamp which it draws. */
  private void addEntries(Index index, Put put, WriteId id, List<Target> all) {
    Optional<String> refusal = JoinedWrites.refusal(index, put).or(() -> index.partialRefusal(put));
    if (refusal.isPresent()) {
      throw new IllegalArgumentException(refusal.get());
    }
    List<Cell> family = put.getFamilyCellMap().getOrDefault(index.column().family(), List.of());
    for (Cell version : index.key().versions(family)) {
      if (!index.leavesOut(put, spec.timestamp())) {
        for (Put entry : index.write(BaseVersion.of(version, id), put)) {
          StoredCells.of(entry).forEach(cell -> all.add(new Target(index.table(), cell)));
        }
      }
    }
  }
}
