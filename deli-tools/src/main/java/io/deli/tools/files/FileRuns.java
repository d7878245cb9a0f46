package io.deli.tools.files;

import io.deli.client.EntryWriter;
import io.deli.entry.RowSort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.ClassSize;

/**
 * Runs of entries that are written as files and loaded together.
 *
 * @param mostBytes in memory, at which one is full
 * @param mostAge at which it is, however little it has
 */
record FileRuns(
    Staging staging, RegionFiles files, Loading loading, long mostBytes, Duration mostAge)
    implements EntryWriter.Runs {
  @Override
  public EntryWriter.Run begin() {
    return new FileRun();
  }

  @Override
  public void close() throws IOException {
    staging.close();
  }

  private final class FileRun implements EntryWriter.Run {
    private final List<KeyValue> entries = new ArrayList<>();
    private long bytes;
    private long begun = System.nanoTime();

    @Override
    public void add(List<Put> puts) {
      for (Put put : puts) {
        for (KeyValue entry : StoredCells.of(put)) {
          entries.add(entry);
          bytes += entry.heapSize() + ClassSize.REFERENCE + RowSort.HEAP_SIZE;
        }
      }
    }

    @Override
    public boolean isFull() {
      return bytes >= mostBytes || System.nanoTime() - begun >= mostAge.toNanos();
    }

    @Override
    public int write() throws IOException {
      int written = entries.size();
      if (written > 0) {
        Path directory = staging.at(UUID.randomUUID().toString());
        RowSort.sort(entries, entry -> entry, CellComparator.getInstance());
        files.write(entries, directory);
        entries.clear();
        loading.load(directory);
        staging.delete(directory);
      }
      bytes = 0;
      begun = System.nanoTime();
      return written;
    }
  }
}
