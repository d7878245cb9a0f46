package io.deli.strategy.postings;

import io.deli.strategy.CellMerger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Merges postings into lists and removes those that a marker deletes (LevelDB++, section 4.1.2).
 *
 * <p>A merge of the lists that overlap: a posting is given on when every cell that may hold an
 * earlier one has come. It holds as many postings as overlapping lists have, not as the row has.
 */
final class PostingListMerger implements CellMerger {
  /** Cells held back behind a growing list, at most. */
  private static final int WAITING = 1_000;

  private final int limit;
  private final boolean all;
  private final boolean alone;
  private final RandomGenerator random;

  private byte[] row;
  private boolean opaque;
  private byte[] foreign;
  private final PriorityQueue<PostingListEntry> pending = new PriorityQueue<>();
  private final TreeSet<PostingListEntry> deleted = new TreeSet<>();
  private final List<PostingListEntry> list = new ArrayList<>();
  private int bytes;

  /** Cells to emit unchanged, after the list that begins before them. */
  private final List<Cell> behind = new ArrayList<>();

  /**
   * Creates a merger.
   *
   * @param limit bytes of a list's value beyond which the next begins
   * @param all whether all cells come that a marker may be about, so that it has done its work
   * @param alone whether a posting that is alone gets the cell that it was written as; not if such
   *     cells are deleted when they are merged, since their markers would hide it
   */
  PostingListMerger(int limit, boolean all, boolean alone, RandomGenerator random) {
    this.limit = limit;
    this.all = all;
    this.alone = alone;
    this.random = random;
  }

  @Override
  public void add(Cell cell, Consumer<Cell> out) {
    if (row == null || !CellUtil.matchingRows(cell, row)) {
      end(out);
      row = CellUtil.cloneRow(cell);
    }
    drain(PostingCodec.place(cell), out);
    List<PostingListEntry> postings = postings(cell);
    if (postings.isEmpty()) {
      behind.add(KeyValueUtil.copyToNewKeyValue(cell));
    } else if (CellUtil.isDelete(cell)) {
      // Each reader that finds it stale deletes it again: once is enough.
      if (deleted.addAll(postings) && !all) {
        behind.add(KeyValueUtil.copyToNewKeyValue(cell));
      }
    } else if (!PrivateCellUtil.tagsIterator(cell).hasNext()) {
      pending.addAll(postings);
    } else if (!deleted.containsAll(postings)) {
      behind.add(KeyValueUtil.copyToNewKeyValue(cell));
    }
  }

  /**
   * The postings that the cell is about; none if it is left to HBase: a list that somebody deletes
   * by hand, or what a newer DELI has written.
   */
  private List<PostingListEntry> postings(Cell cell) {
    opaque |= cell.getType() == Cell.Type.DeleteFamily;
    opaque |= cell.getType() == Cell.Type.DeleteFamilyVersion;
    byte[] qualifier = CellUtil.cloneQualifier(cell);
    if (!opaque && !Bytes.equals(foreign, qualifier)) {
      try {
        if (CellUtil.isPut(cell)
            || (cell.getType() == Cell.Type.Delete && !PostingCodec.isList(cell))) {
          List<PostingListEntry> postings = PostingCodec.postings(cell);
          if (areBehind(PostingCodec.place(cell), postings)) {
            return postings;
          }
        }
      } catch (IllegalArgumentException e) {
        // Not of this format.
      }
      foreign = qualifier;
    }
    return List.of();
  }

  /** HBase fails a compaction whose output is out of order, and anyone may have written a list. */
  private static boolean areBehind(byte[] place, List<PostingListEntry> postings) {
    return !postings.isEmpty()
        && postings.stream().allMatch(each -> each.timestamp() >= 0 && !isBefore(each, place));
  }

  /** Takes up what comes before a place, which is certain by now. */
  private void drain(byte[] place, Consumer<Cell> out) {
    while (!pending.isEmpty() && isBefore(pending.peek(), place)) {
      take(pending.poll(), out);
    }
    while (!deleted.isEmpty() && isBefore(deleted.first(), place)) {
      deleted.pollFirst();
    }
    if (list.isEmpty() || behind.size() >= WAITING) {
      cut(Optional.of(place), out);
    }
  }

  private static boolean isBefore(PostingListEntry posting, byte[] place) {
    return Bytes.compareTo(PostingCodec.place(posting), place) < 0;
  }

  private static boolean isBefore(Cell cell, byte[] place) {
    return Bytes.compareTo(CellUtil.cloneQualifier(cell), place) < 0;
  }

  private void take(PostingListEntry posting, Consumer<Cell> out) {
    Optional<PostingListEntry> last =
        list.isEmpty() ? Optional.empty() : Optional.of(list.get(list.size() - 1));
    if (last.filter(posting::equals).isPresent() || deleted.contains(posting)) {
      return;
    }
    int more = PostingCodec.size(posting, last);
    boolean full = bytes + more > limit || list.size() >= PostingCodec.MOST;
    if (full && !last.map(posting::sharesPlaceWith).orElse(true)) {
      cut(Optional.of(PostingCodec.place(posting)), out);
      more = PostingCodec.size(posting, Optional.empty());
    }
    list.add(posting);
    bytes += more;
  }

  /** Ends the list that is growing, and gives what comes before a place, or all. */
  private void cut(Optional<byte[]> place, Consumer<Cell> out) {
    Map<Boolean, List<Cell>> byPlace =
        behind.stream()
            .collect(
                Collectors.partitioningBy(cell -> place.map(p -> isBefore(cell, p)).orElse(true)));
    List<Cell> now = byPlace.get(true);
    if (!list.isEmpty()) {
      now.add(
          alone && list.size() == 1
              ? PostingCodec.cell(row, list.get(0))
              : PostingCodec.cell(row, list, random));
    }
    now.sort(CellComparator.getInstance());
    now.forEach(out);
    behind.clear();
    behind.addAll(byPlace.get(false));
    list.clear();
    bytes = 0;
  }

  @Override
  public void end(Consumer<Cell> out) {
    while (!pending.isEmpty()) {
      take(pending.poll(), out);
    }
    cut(Optional.empty(), out);
    deleted.clear();
    opaque = false;
    foreign = null;
    row = null;
  }
}
