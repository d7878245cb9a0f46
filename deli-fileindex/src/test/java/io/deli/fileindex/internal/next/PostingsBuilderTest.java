package io.deli.fileindex.internal.next;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.fileindex.internal.blocks.Blocks;
import io.deli.fileindex.internal.blocks.FileIndex.Zone;
import io.deli.fileindex.internal.blocks.Shortlist;
import io.deli.fileindex.internal.blocks.Wanted;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.query.Box;
import io.deli.query.Point;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class PostingsBuilderTest {
  private static final IndexDefinition DEFINITION = IndexDefinition.on("i", Column.parse("f:q"));
  private static final Index INDEX = Index.of(TableName.valueOf("t"), DEFINITION);
  private static final int TOKENS = 6_000;

  private record Version(int token, long timestamp) {}

  private final List<List<Version>> blocks = new ArrayList<>();
  private long mostInRun = Long.MAX_VALUE;

  private static byte[] token(int number) {
    return Bytes.toBytes("%04d".formatted(number));
  }

  private static Wanted wanted(TokenRange tokens, TimeRange times) {
    return new Wanted(INDEX, tokens, times, new byte[0], new byte[0]);
  }

  private NavigableMap<String, byte[]> encoded(double threshold) throws IOException {
    PostingsBuilder builder = new PostingsBuilder(INDEX, new ZoneSplit(threshold), mostInRun);
    List<Blocks.Part> parts = new ArrayList<>();
    Set<Integer> known = new HashSet<>();
    for (List<Version> block : blocks) {
      long before = builder.weight();
      block.forEach(version -> builder.add(token(version.token()), version.timestamp()));
      builder.end(parts.size());
      parts.add(new Blocks.Part(Bytes.toBytes(parts.size()), block.size()));
      Set<Integer> tokens = block.stream().map(Version::token).collect(Collectors.toSet());
      long fresh = tokens.stream().filter(known::add).count();
      if (mostInRun == Long.MAX_VALUE) {
        assertThat(builder.weight() - before).isEqualTo(40L * tokens.size() + 84 * fresh);
      }
    }
    NavigableMap<String, byte[]> encoded = builder.encode(new Blocks(parts));
    assertThat(builder.weight())
        .isEqualTo(
            encoded.tailMap("", false).values().stream().mapToLong(bytes -> bytes.length).sum());
    return encoded;
  }

  private static FilePostings postings(NavigableMap<String, byte[]> encoded) throws IOException {
    FilePostings postings = FilePostings.from("i", encoded.get(""));
    assertThat(postings.toBytes()).isEqualTo(encoded.get(""));
    return postings;
  }

  private static Shortlist search(NavigableMap<String, byte[]> encoded, Wanted wanted)
      throws IOException {
    FilePostings postings = postings(encoded);
    BitSet parts = new BitSet();
    for (Zone zone : postings.zones()) {
      if (zone.tokens().overlaps(wanted.tokens())) {
        parts.set(zone.part());
      }
    }
    return postings.search(wanted, parts, name -> encoded.get(name.substring(1)));
  }

  @Test
  void search_findsTheBlocksOfWantedTokens_andHowNewTheyAre() throws Exception {
    Random random = new Random(1);
    for (int block = 0; block < 30; block++) {
      blocks.add(
          random
              .ints(600, 0, TOKENS)
              .mapToObj(token -> new Version(token, 100L + random.nextInt(50)))
              .toList());
    }
    int inOneRun = encoded(0.1).size();
    assertThat(inOneRun).isBetween(4, 20);
    searchAtRandom(encoded(0.1), random);
    mostInRun = 1;
    assertThat(encoded(0.1)).hasSize(1 + blocks.size());
    searchAtRandom(encoded(0.1), random);
  }

  private void searchAtRandom(NavigableMap<String, byte[]> encoded, Random random)
      throws IOException {
    for (int i = 0; i < 2_000; i++) {
      int from = random.nextInt(TOKENS);
      int to = from + 1 + random.nextInt(i % 2 == 0 ? 3 : TOKENS - from);
      long time = 100L + random.nextInt(50);
      TimeRange times =
          random.nextBoolean() ? TimeRange.allTime() : TimeRange.between(time, time + 5);
      SortedMap<Integer, Long> expected = expected(from, to, times);
      TokenRange tokens = TokenRange.of(token(from), Optional.of(token(to)));
      Shortlist found = search(encoded, wanted(tokens, times));
      assertThat(found.numbers()).isEqualTo(expected.keySet().stream().mapToInt(n -> n).toArray());
      assertThat(found.newest()).isEqualTo(expected.values().stream().mapToLong(n -> n).toArray());
    }
  }

  /** Of the versions of a token in a block, only the oldest and the newest are known. */
  private SortedMap<Integer, Long> expected(int from, int to, TimeRange times) {
    SortedMap<Integer, Long> expected = new TreeMap<>();
    for (int block = 0; block < blocks.size(); block++) {
      TreeMap<Integer, long[]> bounds = new TreeMap<>();
      for (Version version : blocks.get(block)) {
        if (from <= version.token() && version.token() < to) {
          long[] known =
              bounds.computeIfAbsent(
                  version.token(), t -> new long[] {Long.MAX_VALUE, Long.MIN_VALUE});
          known[0] = Math.min(known[0], version.timestamp());
          known[1] = Math.max(known[1], version.timestamp());
        }
      }
      for (long[] known : bounds.values()) {
        if (known[0] < times.getMax() && known[1] >= times.getMin()) {
          expected.merge(block, known[1], Math::max);
        }
      }
    }
    return expected;
  }

  /** Beyond, it is cheaper to read the rows. */
  @Test
  void search_ofMoreThanAThousandParts_isGivenUp() throws Exception {
    blocks.add(List.of(new Version(1, 5)));
    NavigableMap<String, byte[]> encoded = encoded(1);
    Wanted all = wanted(TokenRange.startingWith(new byte[0]), TimeRange.allTime());
    BitSet parts = new BitSet();
    parts.set(0, 1_001);
    Shortlist givenUp =
        postings(encoded)
            .search(
                all,
                parts,
                name -> {
                  throw new AssertionError(name);
                });
    assertThat(givenUp.numbers()).containsExactly(0);
    assertThat(givenUp.newest()).containsExactly(Long.MAX_VALUE);
    parts.clear(1_000);
    Shortlist searched = postings(encoded).search(all, parts, name -> new byte[0]);
    assertThat(searched.numbers()).isEmpty();
  }

  @Test
  void weight_isThatOfBlocksAndZones() throws Exception {
    blocks.add(List.of(new Version(1, 5)));
    FilePostings postings = postings(encoded(1));
    assertThat(postings.weight()).isEqualTo(postings.blocks().weight() + 320 + 4 * 4);
  }

  @Test
  void zones_leaveOutTheWideGaps() throws Exception {
    blocks.add(
        List.of(
            new Version(100, 5), new Version(110, 5), new Version(150, 5), new Version(160, 5)));
    assertThat(zones(encoded(1))).containsExactly("[0100, 0160\\x00)");
    assertThat(zones(encoded(0.5))).containsExactly("[0100, 0110\\x00)", "[0150, 0160\\x00)");
    assertThat(zones(encoded(0))).hasSize(4);
    blocks.clear();
    assertThat(zones(encoded(0.5))).isEmpty();
  }

  /** A gap of just the threshold is none. */
  @Test
  void aGap_isWiderThanTheShareOfTheRange() {
    List<byte[]> tokens = List.of(new byte[] {7, 0}, new byte[] {7, 4}, new byte[] {7, 8});
    ZoneSplit.Bounds bounds = of -> TokenRange.of(of.get(0), Optional.of(of.get(of.size() - 1)));
    assertThat(new ZoneSplit(0.5).divide(tokens, bounds)).hasSize(1);
    assertThat(new ZoneSplit(0.49).divide(tokens, bounds)).hasSize(3);
    List<byte[]> signed = List.of(new byte[] {7, 0x7F}, new byte[] {7, (byte) 0x80});
    assertThat(new ZoneSplit(1).divide(signed, bounds)).hasSize(1);
    List<byte[]> second = List.of(new byte[] {0, 0}, new byte[] {0, 100}, new byte[] {1, 0});
    assertThat(new ZoneSplit(0.5).divide(second, bounds).get(0).contains(second.get(1))).isFalse();
    assertThat(new ZoneSplit(0.5).divide(second, bounds).get(1).first()).isEqualTo(second.get(2));
    List<byte[]> ends = List.of(new byte[] {7}, new byte[] {7, 0, 0, 1}, new byte[] {7, 1});
    assertThat(new ZoneSplit(0.5).divide(ends, bounds)).hasSize(2);
  }

  private static List<String> zones(NavigableMap<String, byte[]> encoded) throws IOException {
    return postings(encoded).zones().stream().map(zone -> zone.tokens().toString()).toList();
  }

  @Test
  void zonesOfPoints_areRectangles() throws Exception {
    Index points = Index.of(TableName.valueOf("t"), DEFINITION.withType(ValueType.POINT));
    PostingsBuilder builder = new PostingsBuilder(points, new ZoneSplit(1));
    builder.add(Box.token(new Point(1, 4)), 5);
    builder.add(Box.token(new Point(3, 2)), 5);
    builder.end(0);
    byte[] bytes = builder.encode(new Blocks(List.of())).get("");
    assertThat(FilePostings.from("i", bytes).zones())
        .singleElement()
        .satisfies(
            zone ->
                assertThat(zone.tokens().box())
                    .hasValue(new Box(new Point(1, 2), new Point(3, 4))));
  }
}
