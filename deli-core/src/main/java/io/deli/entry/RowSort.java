package io.deli.entry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.util.ClassSize;

/**
 * Sorts many things by their rows, with few looks at these.
 *
 * <p>Of a million rows in memory, most that are compared are in no cache of the processor. So each
 * is looked at once, for the first eight bytes that tell it from others, and again only where these
 * are equal.
 */
public final class RowSort {
  /** The bytes that it takes in memory for each thing while it sorts. */
  public static final long HEAP_SIZE =
      ClassSize.align(ClassSize.OBJECT + Long.BYTES + ClassSize.REFERENCE)
          + 2L * ClassSize.REFERENCE;

  private RowSort() {}

  /**
   * Sorts in place; stable.
   *
   * @param cell of the row of a thing
   * @param order which has to go by that row first, byte by byte
   */
  public static <T> void sort(List<T> things, Function<T, Cell> cell, Comparator<? super T> order) {
    int shared = shared(things, cell);
    List<Headed<T>> headed = new ArrayList<>(things.size());
    for (T thing : things) {
      headed.add(new Headed<>(head(cell.apply(thing), shared), thing));
    }
    headed.sort(
        (a, b) ->
            a.head == b.head
                ? order.compare(a.thing, b.thing)
                : Long.compareUnsigned(a.head, b.head));
    for (int i = 0; i < headed.size(); i++) {
      things.set(i, headed.get(i).thing);
    }
  }

  /** Returns the length of the prefix that all rows share. */
  private static <T> int shared(List<T> things, Function<T, Cell> cell) {
    if (things.isEmpty()) {
      return 0;
    }
    Cell first = cell.apply(things.get(0));
    int from = first.getRowOffset();
    int shared = first.getRowLength();
    for (T thing : things) {
      Cell each = cell.apply(thing);
      int offset = each.getRowOffset();
      int length = Math.min(shared, each.getRowLength());
      int differs =
          Arrays.mismatch(
              first.getRowArray(),
              from,
              from + length,
              each.getRowArray(),
              offset,
              offset + length);
      shared = differs < 0 ? length : differs;
    }
    return shared;
  }

  /**
   * The bytes from there on, as an unsigned number of the same order; a row that ends has zeros.
   */
  private static long head(Cell cell, int from) {
    long head = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      int next = i < cell.getRowLength() ? cell.getRowArray()[cell.getRowOffset() + i] & 0xFF : 0;
      head = head << Byte.SIZE | next;
    }
    return head;
  }

  private record Headed<T>(long head, T thing) {}
}
