package io.deli.simulation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;

/** A store in memory, as the simulation uses it. It survives a crash, being its own log. */
final class MemoryStore implements LogStructuredStore {
  /** In order: of so few, cheaper than a tree. */
  private final List<Cell> cells = new ArrayList<>();

  private long sequence;

  @Override
  public void put(List<Cell> written) {
    for (Cell cell : written) {
      try {
        PrivateCellUtil.setSequenceId(cell, ++sequence);
      } catch (IOException e) {
        throw new IllegalStateException("a cell of ours takes a sequence id", e);
      }
      cells.add(-Collections.binarySearch(cells, cell, ORDER) - 1, cell);
    }
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public List<Cell> scan(byte[] start, byte[] stop) {
    int from = countBefore(start);
    int to = stop.length == 0 ? cells.size() : countBefore(stop);
    return from >= to ? new ArrayList<>() : new ArrayList<>(cells.subList(from, to));
  }

  private int countBefore(byte[] row) {
    int low = 0;
    int high = cells.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ORDER.compareRows(cells.get(middle), row, 0, row.length) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public void flush() {}

  @Override
  public void drop(List<Cell> dead) {
    for (Cell cell : dead) {
      cells.remove(Collections.binarySearch(cells, cell, ORDER));
    }
  }

  @Override
  public void crash() {}

  @Override
  public void close() {}
}
