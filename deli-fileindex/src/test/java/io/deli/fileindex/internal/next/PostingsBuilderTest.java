package io.deli.fileindex.internal.next;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.fileindex.internal.blocks.Blocks;
import io.deli.fileindex.internal.blocks.FileIndex.Zone;
import io.deli.fileindex.internal.blocks.Matches;
import io.deli.fileindex.internal.blocks.RowList;
import io.deli.fileindex.internal.blocks.Shortlist;
import io.deli.fileindex.internal.blocks.Wanted;
import io.deli.fileindex.internal.hbase.MetaBlocks.Content;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.query.Box;
import io.deli.query.Point;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostingsBuilderTest {
  private static final IndexDefinition DEFINITION = IndexDefinition.on("i", Column.parse("f:q"));
  private static final Index INDEX = Index.of(TableName.valueOf("t"), DEFINITION);
  private static final ZoneSplit DIVIDED = new ZoneSplit(1, 16, Long.MAX_VALUE);
  private static final ZoneSplit WHOLE = new ZoneSplit(0, 1, Long.MAX_VALUE);
  private static final int TOKENS = 6_000;
  private static final int ROWS_OF_BLOCK = 100;

  private record Version(int token, long timestamp) {}

  /** Of each row, in their order. */
  private final List<List<Version>> rows = new ArrayList<>();

  @TempDir private Path directory;
  private long mostInRun = Long.MAX_VALUE;
  private PostingSorter sorter;

  private static byte[] token(int number) {
    return Bytes.toBytes("%04d".formatted(number));
  }

  private static byte[] row(int number) {
    return Bytes.toBytes("row-%06d".formatted(number));
  }

  private static Wanted wanted(TokenRange tokens, TimeRange times) {
    return new Wanted(INDEX, tokens, times, new byte[0], new byte[0], false);
  }

  private PostingsBuilder builder(Index index, ZoneSplit split) {
    sorter = new PostingSorter(directory, mostInRun);
    return new PostingsBuilder(index, split, sorter);
  }

  private NavigableMap<String, byte[]> encoded(ZoneSplit split) throws IOException {
    PostingsBuilder builder = builder(INDEX, split);
    add(builder);
    List<Blocks.Part> parts = new ArrayList<>();
    for (int row = 0; row < rows.size(); row += ROWS_OF_BLOCK) {
      parts.add(new Blocks.Part(row(row), ROWS_OF_BLOCK));
    }
    return bytes(builder.encode(new Blocks(parts), () -> true));
  }

  private void add(PostingsBuilder builder) throws IOException {
    for (int row = 0; row < rows.size(); row++) {
      for (Version version : rows.get(row)) {
        builder.add(row(row), token(version.token()), version.timestamp());
      }
    }
  }

  private static NavigableMap<String, byte[]> bytes(Map<String, Content> contents)
      throws IOException {
    NavigableMap<String, byte[]> bytes = new TreeMap<>();
    for (Map.Entry<String, Content> content : contents.entrySet()) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      content.getValue().write(new DataOutputStream(out));
      bytes.put(content.getKey(), out.toByteArray());
    }
    return bytes;
  }

  private static FilePostings postings(NavigableMap<String, byte[]> encoded) throws IOException {
    FilePostings postings = FilePostings.from("i", encoded.get(""));
    assertThat(postings.toBytes()).isEqualTo(encoded.get(""));
    return postings;
  }

  private static Matches search(NavigableMap<String, byte[]> encoded, Wanted wanted)
      throws IOException {
    FilePostings postings = postings(encoded);
    BitSet parts = new BitSet();
    for (Zone zone : postings.zones()) {
      if (zone.tokens().overlaps(wanted.tokens())) {
        parts.set(zone.part());
      }
    }
    return postings.search(
        wanted,
        parts,
        (name, content) -> content.accept(ByteBuffer.wrap(encoded.get(name.substring(1)))));
  }

  private void drawRows(Random random) {
    for (int row = 0; row < 9_000; row++) {
      rows.add(
          random
              .ints(random.nextInt(4), 0, TOKENS)
              .mapToObj(token -> new Version(token / (1 + token % 3), 100L + random.nextInt(50)))
              .toList());
    }
  }

  @Test
  void search_findsTheRowsOfWantedTokens_andHowNewTheyAre() throws Exception {
    Random random = new Random(1);
    drawRows(random);
    NavigableMap<String, byte[]> inMemory = encoded(DIVIDED);
    assertThat(inMemory).hasSizeBetween(5, 20);
    searchAtRandom(inMemory, random);
  }

  /** And nothing is left of what was spilled. */
  @Test
  void encode_beyondItsMemory_givesTheSameBytes() throws Exception {
    drawRows(new Random(2));
    NavigableMap<String, byte[]> inMemory = encoded(DIVIDED);
    mostInRun = 20_000;
    NavigableMap<String, byte[]> spilled = encoded(DIVIDED);
    assertThat(spilled.keySet()).isEqualTo(inMemory.keySet());
    spilled.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(inMemory.get(name)));
    assertThat(directory).isEmptyDirectory();
  }

  private PostingsBuilder spilling(int seed) throws Exception {
    drawRows(new Random(seed));
    mostInRun = 20_000;
    PostingsBuilder builder = builder(INDEX, WHOLE);
    add(builder);
    return builder;
  }

  /** Nothing of it may fail the file that is written. */
  @Test
  void aSpilledBlockThatCannotBeRead_isEmpty_andItsSearchFails() throws Exception {
    PostingsBuilder builder = spilling(3);
    NavigableMap<String, Content> encoded = builder.encode(new Blocks(List.of()), () -> true);
    sorter.close();
    NavigableMap<String, byte[]> bytes = bytes(encoded);
    assertThat(bytes.tailMap("", false)).isNotEmpty().allSatisfy((n, b) -> assertThat(b).isEmpty());
    Wanted wanted = wanted(TokenRange.only(token(1)), TimeRange.allTime());
    assertThatThrownBy(() -> search(bytes, wanted)).hasMessageContaining("was lost");
  }

  @Test
  void add_withoutRoomToSpill_fails() throws Exception {
    drawRows(new Random(4));
    mostInRun = 20_000;
    directory = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> add(builder(INDEX, WHOLE))).isInstanceOf(IOException.class);
  }

  /** Wherever its postings cross the border of a block, or of a restart point. */
  @Test
  void search_ofATokenInSeveralBlocks_findsItsRowsFromAnyRowOn() throws Exception {
    int ofToken = 8_000;
    for (int row = 0; row < ofToken; row++) {
      rows.add(row % 1_000 == 0 ? versions(1, 2, 3) : versions(2));
    }
    NavigableMap<String, byte[]> encoded = encoded(WHOLE);
    assertThat(encoded.keySet()).hasSizeGreaterThan(3);
    for (int start = 0; start <= ofToken; start += start % 500 < 20 ? 1 : 37) {
      int end = Math.min(ofToken, start + 3_000);
      for (int token : new int[] {0, 1, 2, 3, 4}) {
        assertThat(rowsOf(encoded, token, start, end, false))
            .as("token %d from %d", token, start)
            .isEqualTo(
                strings(expected(token, token + 1, TimeRange.allTime(), start, end).keySet()));
      }
    }
    assertThat(rowsOf(encoded, 2, 17, 7_900, true))
        .as("a thousand at a time")
        .isEqualTo(rowsOf(encoded, 2, 17, 7_900, false));
  }

  private static List<String> rowsOf(
      NavigableMap<String, byte[]> encoded, int token, int start, int end, boolean inOrder)
      throws IOException {
    List<String> rows = new ArrayList<>();
    TokenRange tokens = TokenRange.only(token(token));
    byte[] from = row(start);
    do {
      RowList found =
          (RowList)
              search(
                  encoded, new Wanted(INDEX, tokens, TimeRange.allTime(), from, row(end), inOrder));
      assertThat(found.rows()).hasSizeLessThanOrEqualTo(inOrder ? 1_000 : end - start);
      rows.addAll(strings(found.rows()));
      from = found.end();
    } while (from.length > 0);
    return rows;
  }

  private static List<String> strings(Collection<byte[]> rows) {
    return rows.stream().map(Bytes::toString).toList();
  }

  private static List<Version> versions(int... tokens) {
    return Arrays.stream(tokens).mapToObj(token -> new Version(token, 1L << 40)).toList();
  }

  /** Of all versions, though they are in several postings. */
  @Test
  void search_ofARowWithManyTokens_findsItOnce() throws Exception {
    List<Version> versions = new ArrayList<>();
    for (int token = 0; token < 2_500; token++) {
      versions.add(new Version(token, 5_000L + token));
    }
    versions.add(new Version(0, 9_000));
    rows.add(versions);
    NavigableMap<String, byte[]> encoded = encoded(WHOLE);
    for (int token : new int[] {0, 999, 1_000, 2_499}) {
      RowList found =
          (RowList) search(encoded, wanted(TokenRange.only(token(token)), TimeRange.from(5_000L)));
      assertThat(found.rows()).hasSize(1);
      assertThat(found.newest()).containsExactly(token == 0 ? 9_000 : 5_000L + token);
    }
    Wanted absent = wanted(TokenRange.only(token(2_500)), TimeRange.allTime());
    assertThat(search(encoded, absent).isEmpty()).isTrue();
  }

  @Test
  void weight_staysBoundedByARun() throws Exception {
    mostInRun = 50_000;
    PostingsBuilder builder = builder(INDEX, WHOLE);
    for (int row = 0; row < 100_000; row++) {
      builder.add(row(row), token(row % TOKENS), 5);
      assertThat(builder.weight()).isLessThan(2_500_000);
    }
    assertThat(bytes(builder.encode(new Blocks(List.of()), () -> true))).hasSizeGreaterThan(10);
    assertThat(builder.weight()).isLessThan(2_500_000);
  }

  @Test
  void weight_hasTheEncodedBlocksToo() throws Exception {
    drawRows(new Random(6));
    PostingsBuilder builder = builder(INDEX, WHOLE);
    add(builder);
    long before = builder.weight();
    var encoded = bytes(builder.encode(new Blocks(List.of()), () -> true));
    long whole = postings(encoded).zonesOfParts().size() - 1L;
    assertThat(builder.weight() - before).isGreaterThan(whole * 32_768).isPositive();
  }

  private void searchAtRandom(NavigableMap<String, byte[]> encoded, Random random)
      throws IOException {
    for (int i = 0; i < 1_000; i++) {
      int from = random.nextInt(TOKENS);
      int to = from + 1 + random.nextInt(i % 2 == 0 ? 3 : TOKENS - from);
      long time = 100L + random.nextInt(50);
      TimeRange times =
          random.nextBoolean() ? TimeRange.allTime() : TimeRange.between(time, time + 5);
      int start = random.nextBoolean() ? 0 : random.nextInt(rows.size());
      int end = start + random.nextInt(rows.size());
      TokenRange tokens =
          i % 4 == 0
              ? TokenRange.only(token(from))
              : TokenRange.of(token(from), Optional.of(token(to)));
      NavigableMap<byte[], Long> expected =
          expected(from, i % 4 == 0 ? from + 1 : to, times, start, end);
      RowList found =
          (RowList) search(encoded, new Wanted(INDEX, tokens, times, row(start), row(end), false));
      assertThat(strings(found.rows())).isEqualTo(strings(expected.keySet()));
      assertThat(found.newest()).isEqualTo(expected.values().stream().mapToLong(n -> n).toArray());
    }
  }

  /** Of the versions of a token in a row, only the oldest and the newest are known. */
  private NavigableMap<byte[], Long> expected(
      int from, int to, TimeRange times, int start, int end) {
    NavigableMap<byte[], Long> expected = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (int row = start; row < Math.min(end, rows.size()); row++) {
      Map<Integer, long[]> bounds = new TreeMap<>();
      for (Version version : rows.get(row)) {
        if (from <= version.token() && version.token() < to) {
          bounds.merge(
              version.token(),
              new long[] {version.timestamp(), version.timestamp()},
              (a, b) -> new long[] {Math.min(a[0], b[0]), Math.max(a[1], b[1])});
        }
      }
      for (long[] known : bounds.values()) {
        if (known[0] < times.getMax() && known[1] >= times.getMin()) {
          expected.merge(row(row), known[1], Math::max);
        }
      }
    }
    return expected;
  }

  /** Beyond, it takes less to read them whole. */
  @Test
  void search_ofRowsThatDoNotFit_namesTheirBlocks() throws Exception {
    for (int row = 0; row < 60_000; row++) {
      rows.add(List.of(new Version(row < 50_000 ? 1 : 2, row)));
    }
    Matches found = search(encoded(WHOLE), wanted(TokenRange.only(token(1)), TimeRange.allTime()));
    assertThat(found).isInstanceOf(Shortlist.class);
    assertThat(found.blockCount()).isEqualTo(500);
    assertThat(((Shortlist) found).newest()[499]).isEqualTo(49_999);
  }

  /** Beyond, it is cheaper to read the rows. */
  @Test
  void search_ofMoreThanAThousandParts_isGivenUp() throws Exception {
    rows.add(List.of(new Version(1, 5)));
    NavigableMap<String, byte[]> encoded = encoded(WHOLE);
    Wanted all = wanted(TokenRange.startingWith(new byte[0]), TimeRange.allTime());
    BitSet parts = new BitSet();
    parts.set(0, 1_001);
    Shortlist givenUp =
        (Shortlist)
            postings(encoded)
                .search(
                    all,
                    parts,
                    (name, content) -> {
                      throw new AssertionError(name);
                    });
    assertThat(givenUp.numbers()).containsExactly(0);
    assertThat(givenUp.newest()).containsExactly(Long.MAX_VALUE);
    parts.clear(1_000);
    assertThat(postings(encoded).search(all, parts, (name, content) -> {}).isEmpty()).isTrue();
  }

  @Test
  void weight_isThatOfBlocksZonesAndFilters() throws Exception {
    rows.add(List.of(new Version(1, 5)));
    FilePostings postings = postings(encoded(WHOLE));
    assertThat(postings.weight()).isEqualTo(postings.blocks().weight() + 320 + 4 * 4 + 14);
  }

  @Test
  void zones_leaveOutTheWideGaps() throws Exception {
    rows.add(versions(100, 110, 150, 160));
    assertThat(zones(encoded(WHOLE))).containsExactly("[0100, 0160\\x00)");
    assertThat(zones(encoded(DIVIDED))).containsExactly("[0100, 0110\\x00)", "[0150, 0160\\x00)");
    assertThat(zones(encoded(new ZoneSplit(0, 4, 4 * 336)))).hasSize(4);
    assertThat(zones(encoded(new ZoneSplit(0, 4, 4 * 336 - 1)))).as("too many").hasSize(1);
    rows.clear();
    assertThat(zones(encoded(DIVIDED))).isEmpty();
  }

  private static List<String> zones(NavigableMap<String, byte[]> encoded) throws IOException {
    return postings(encoded).zones().stream().map(zone -> zone.tokens().toString()).toList();
  }

  @Test
  void zonesOfPoints_areRectangles() throws Exception {
    Index points = Index.of(TableName.valueOf("t"), DEFINITION.withType(ValueType.POINT));
    PostingsBuilder builder = builder(points, WHOLE);
    builder.add(row(1), Box.token(new Point(1, 4)), 5);
    builder.add(row(2), Box.token(new Point(3, 2)), 5);
    byte[] bytes = bytes(builder.encode(new Blocks(List.of()), () -> true)).get("");
    assertThat(FilePostings.from("i", bytes).zones())
        .singleElement()
        .satisfies(
            zone ->
                assertThat(zone.tokens().box())
                    .hasValue(new Box(new Point(1, 2), new Point(3, 4))));
  }
}
