package io.deli.strategy.postings;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.entry.EntryCodec;
import io.deli.entry.WriteId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A row of lists keeps its meaning, merged again and again, in parts and as a whole. */
class PostingListMergerTest {
  private static final int EVENTS = 60;
  private static final int LIMIT = 60;
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] OTHER_ROW = Bytes.toBytes("row2");
  private static final byte[][] KEYS = {
    {}, {0}, {0, 0}, {(byte) 0xFF}, {'k'}, {'k', 0}, {'k', '1'}
  };

  /** Cells by file, the oldest first. */
  private final List<List<Cell>> files = new ArrayList<>();

  private final Set<PostingListEntry> living = new HashSet<>();

  @Property(tries = 300)
  void aRowMeansTheSameHoweverItIsMerged(@ForAll long seed) {
    Random random = new Random(seed);
    files.clear();
    living.clear();
    List<PostingListEntry> written = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      if (random.nextInt(4) > 0 || written.isEmpty()) {
        PostingListEntry posting = posting(random);
        if (!written.contains(posting)) {
          written.add(posting);
          living.add(posting);
          add(random, cell(posting, KeyValue.Type.Put));
        }
      } else {
        PostingListEntry posting = written.get(random.nextInt(written.size()));
        living.remove(posting);
        add(random, cell(posting, KeyValue.Type.Delete));
      }
      if (random.nextInt(8) == 0) {
        mergeSome(random);
      }
      assertThat(read()).containsAll(living);
    }
    mergeAll(random);
    assertThat(read()).containsExactlyInAnyOrderElementsOf(living);
    assertThat(files.get(0)).noneMatch(CellUtil::isDelete);
    assertListsAreApart(files.get(0));
  }

  private static PostingListEntry posting(Random random) {
    long timestamp = random.nextInt(10);
    WriteId id = random.nextBoolean() ? WriteId.NONE : WriteId.of(timestamp, random.nextInt(3));
    return new PostingListEntry(KEYS[random.nextInt(KEYS.length)], timestamp, id);
  }

  private static Cell cell(PostingListEntry posting, KeyValue.Type type) {
    return new KeyValue(
        ROW,
        EntryCodec.family(),
        PostingCodec.qualifier(posting),
        posting.timestamp(),
        type,
        HConstants.EMPTY_BYTE_ARRAY);
  }

  private void add(Random random, Cell cell) {
    if (files.isEmpty() || random.nextInt(5) == 0) {
      files.add(new ArrayList<>());
    }
    files.get(files.size() - 1).add(cell);
  }

  private void mergeSome(Random random) {
    int from = random.nextInt(files.size());
    int to = from + 1 + random.nextInt(files.size() - from);
    List<List<Cell>> some = files.subList(from, to);
    List<Cell> merged = merge(some, some.size() == files.size(), random);
    some.clear();
    files.add(from, merged);
  }

  private void mergeAll(Random random) {
    List<Cell> merged = merge(files, true, random);
    files.clear();
    files.add(merged);
  }

  private static List<Cell> merge(List<List<Cell>> files, boolean all, Random random) {
    TreeSet<Cell> input = new TreeSet<>(CellComparator.getInstance());
    files.forEach(input::addAll);
    PostingListMerger merger = new PostingListMerger(LIMIT, all, true, random);
    List<Cell> output = new ArrayList<>();
    input.forEach(cell -> merger.add(cell, output::add));
    merger.end(output::add);
    assertThat(output).isSortedAccordingTo(CellComparator.getInstance());
    return output;
  }

  /** What HBase shows: a marker hides the cell with its coordinates. */
  private Set<PostingListEntry> read() {
    TreeSet<Cell> cells = new TreeSet<>(CellComparator.getInstance());
    files.forEach(cells::addAll);
    Set<PostingListEntry> seen = new TreeSet<>();
    Cell marker = null;
    for (Cell cell : cells) {
      if (CellUtil.isDelete(cell)) {
        marker = cell;
      } else if (marker == null || !CellUtil.matchingQualifier(marker, cell)) {
        List<PostingListEntry> postings = PostingCodec.postings(cell);
        assertThat(postings).isSorted();
        assertThat(postings.get(postings.size() - 1).timestamp()).isEqualTo(cell.getTimestamp());
        seen.addAll(postings);
      }
    }
    return seen;
  }

  private static void assertListsAreApart(List<Cell> cells) {
    List<PostingListEntry> all = new ArrayList<>();
    for (Cell cell : cells) {
      all.addAll(PostingCodec.postings(cell));
    }
    assertThat(all).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void rowsDoNotMix() {
    PostingListEntry posting = new PostingListEntry(KEYS[4], 5, WriteId.NONE);
    PostingListMerger merger = new PostingListMerger(LIMIT, true, false, new Random(1));
    List<Cell> output = new ArrayList<>();
    merger.add(PostingCodec.cell(ROW, posting), output::add);
    merger.add(PostingCodec.cell(OTHER_ROW, posting), output::add);
    merger.end(output::add);
    assertThat(output).hasSize(2);
    assertThat(output).allMatch(PostingCodec::isList);
    assertThat(output).extracting(CellUtil::cloneRow).containsExactly(ROW, OTHER_ROW);
  }

  @Test
  void whatIsNoPostingStaysAsItIs() {
    Cell newer =
        new KeyValue(ROW, EntryCodec.family(), Bytes.toBytes("some other format"), 5, KEYS[4]);
    Cell rowMarker =
        new KeyValue(ROW, EntryCodec.family(), new byte[0], 5, KeyValue.Type.DeleteFamily);
    for (List<Cell> cells :
        List.of(
            List.of(newer),
            List.of(
                rowMarker,
                PostingCodec.cell(ROW, new PostingListEntry(KEYS[4], 5, WriteId.NONE))))) {
      assertThat(merge(List.of(cells), true, new Random(1))).isEqualTo(cells);
    }
  }

  private static PostingListEntry posting(int timestamp) {
    return new PostingListEntry(KEYS[4], timestamp, WriteId.NONE);
  }

  private static Cell put(PostingListEntry posting) {
    return cell(posting, KeyValue.Type.Put);
  }

  @Test
  void whatAMarkerOfTheFamilyHides_isNotMerged() {
    for (KeyValue.Type type :
        List.of(KeyValue.Type.DeleteFamily, KeyValue.Type.DeleteFamilyVersion)) {
      Cell marker = new KeyValue(ROW, EntryCodec.family(), new byte[0], 5, type);
      List<Cell> cells = List.of(marker, put(posting(5)), put(posting(4)), put(posting(3)));
      assertThat(merge(List.of(cells), true, new Random(1))).isEqualTo(cells);
    }
  }

  /** Tags such as a time to live are of one cell, and a list has none of them. */
  @Test
  void whatHasTags_isNotMerged_unlessItIsDeleted() {
    Cell tagged =
        KeyValueUtil.copyToNewKeyValue(
            PrivateCellUtil.createCell(
                put(posting(4)),
                List.of(new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(1L)))));
    List<Cell> cells = List.of(put(posting(5)), tagged, put(posting(3)));
    List<Cell> merged = merge(List.of(cells), true, new Random(1));
    assertThat(merged).hasSize(2).contains(tagged);
    assertThat(PostingCodec.postings(merged.get(0))).containsExactly(posting(5), posting(3));
    Cell marker = cell(posting(4), KeyValue.Type.Delete);
    assertThat(merge(List.of(List.of(marker, tagged)), true, new Random(1))).isEmpty();
  }

  @Test
  void markers_areOfOneRow() {
    PostingListMerger merger = new PostingListMerger(LIMIT, true, true, new Random(1));
    List<Cell> output = new ArrayList<>();
    merger.add(cell(posting(5), KeyValue.Type.Delete), output::add);
    merger.add(PostingCodec.cell(OTHER_ROW, posting(5)), output::add);
    merger.end(output::add);
    assertThat(output).containsExactly(PostingCodec.cell(OTHER_ROW, posting(5)));
  }

  @Test
  void aList_isCutWhereItWouldExceedTheLimit_butNotWithinAVersion() {
    List<Cell> cells = List.of(put(posting(5)), put(posting(4)), put(posting(3)));
    int three =
        PostingCodec.size(posting(5), Optional.empty())
            + 2 * PostingCodec.size(posting(4), Optional.of(posting(5)));
    assertThat(merged(cells, three)).hasSize(1);
    assertThat(merged(cells, three - 1)).hasSize(2);
    List<Cell> alike = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      alike.add(put(new PostingListEntry(KEYS[4], 5, WriteId.of(1, i))));
    }
    assertThat(merged(alike, 1)).hasSize(1);
  }

  @Test
  void aList_isCutWhereItWouldHaveMorePostingsThanCanBeRead() {
    List<Cell> cells = new ArrayList<>();
    for (int i = PostingCodec.MOST; i >= 0; i--) {
      cells.add(put(posting(i)));
    }
    assertThat(merged(cells, Integer.MAX_VALUE))
        .extracting(cell -> PostingCodec.postings(cell).size())
        .containsExactly(PostingCodec.MOST, 1);
  }

  /** A writer of the table can write such; HBase fails compactions out of order. */
  @Test
  void aListOfOtherOrder_isNotMerged() {
    Cell five = PostingCodec.cell(ROW, List.of(posting(5)), new Random(1));
    for (List<PostingListEntry> others :
        List.of(
            List.of(posting(9)),
            List.of(posting(5), posting(4), posting(9)),
            List.of(posting(5), posting(-1)),
            List.<PostingListEntry>of())) {
      Cell other = PostingCodec.cell(five, others);
      List<Cell> cells = List.of(put(posting(7)), other, put(posting(3)));
      assertThat(merged(cells, 1))
          .isSortedAccordingTo(CellComparator.getInstance())
          .isEqualTo(cells);
    }
  }

  private static List<Cell> merged(List<Cell> cells, int limit) {
    PostingListMerger merger = new PostingListMerger(limit, true, true, new Random(1));
    List<Cell> output = new ArrayList<>();
    cells.forEach(cell -> merger.add(cell, output::add));
    merger.end(output::add);
    return output;
  }

  /** However long a row is, a merge holds little of it. */
  @Test
  void whatIsCertain_isGivenOn() {
    List<Cell> output = new ArrayList<>();
    PostingListMerger lists = new PostingListMerger(LIMIT, true, true, new Random(1));
    for (int i = 100; i > 0; i--) {
      lists.add(put(posting(i)), output::add);
    }
    assertThat(output).hasSizeGreaterThan(5);

    output.clear();
    PostingListMerger oneList =
        new PostingListMerger(Integer.MAX_VALUE, false, true, new Random(1));
    oneList.add(put(posting(5_000)), output::add);
    for (int i = 0; i <= 1_000; i++) {
      assertThat(output).isEmpty();
      oneList.add(cell(posting(4_000 - i), KeyValue.Type.Delete), output::add);
    }
    assertThat(output).hasSize(1_001);
  }

  @Test
  void aLargeListIsCut() {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      cells.add(PostingCodec.cell(ROW, new PostingListEntry(Bytes.toBytes(i), i, WriteId.NONE)));
    }
    List<Cell> merged = merge(List.of(cells), true, new Random(1));
    assertThat(merged).hasSizeGreaterThan(100).allMatch(cell -> cell.getValueLength() <= LIMIT);
    assertListsAreApart(merged);
  }
}
