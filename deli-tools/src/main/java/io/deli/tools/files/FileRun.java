package io.deli.tools.files;

import io.deli.client.EntryWriter;
import io.deli.entry.RowSort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.ClassSize;

/** Entries that are written as files and loaded together. Not thread-safe. */
final class FileRun implements EntryWriter.Run {
  private final FileRuns runs;
  private final List<KeyValue> entries = new ArrayList<>();
  private long bytes;
  private long begun = System.nanoTime();

  FileRun(FileRuns runs) {
    this.runs = runs;
  }

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
    return bytes >= runs.bytes() || System.nanoTime() - begun >= runs.age().toNanos();
  }

  @Override
  public int write() throws IOException {
    int written = entries.size();
    if (written > 0) {
      Path directory = runs.staging().at(UUID.randomUUID().toString());
      RowSort.sort(entries, entry -> entry, CellComparator.getInstance());
      runs.files().write(entries, directory);
      entries.clear();
      runs.loading().load(directory);
      runs.staging().delete(directory);
    }
    bytes = 0;
    begun = System.nanoTime();
    return written;
  }
}
