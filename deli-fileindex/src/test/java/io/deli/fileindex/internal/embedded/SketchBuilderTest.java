package io.deli.fileindex.internal.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.fileindex.internal.blocks.Blocks;
import io.deli.fileindex.internal.blocks.FileIndex.Zone;
import io.deli.fileindex.internal.blocks.Shortlist;
import io.deli.fileindex.internal.blocks.TokenBloom;
import io.deli.fileindex.internal.blocks.Wanted;
import io.deli.fileindex.internal.hbase.MetaBlocks.Content;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class SketchBuilderTest {
  private static final Index INDEX =
      Index.of(TableName.valueOf("t"), IndexDefinition.on("i", Column.parse("f:q")));
  private static final int TOKENS = 1_000;

  private record Version(int token, long timestamp) {}

  private final List<List<Version>> blocks = new ArrayList<>();

  private static byte[] token(int number) {
    return Bytes.toBytes("%04d".formatted(number));
  }

  private static Wanted wanted(int from, int to, TimeRange times) {
    TokenRange tokens =
        to == from + 1
            ? TokenRange.only(token(from))
            : TokenRange.of(token(from), Optional.of(token(to)));
    return new Wanted(INDEX, tokens, times, new byte[0], new byte[0], true);
  }

  private FileSketch sketch(int bitsPerToken) throws Exception {
    SketchBuilder builder = new SketchBuilder(INDEX, bitsPerToken);
    List<Blocks.Part> parts = new ArrayList<>();
    long weight = builder.weight();
    for (List<Version> block : blocks) {
      block.forEach(
          version -> builder.add(new byte[0], token(version.token()), version.timestamp()));
      builder.end(parts.size());
      parts.add(new Blocks.Part(Bytes.toBytes(parts.size()), block.size()));
      assertThat(builder.weight()).isGreaterThan(weight + 200);
      weight = builder.weight();
    }
    FileSketch sketch =
        FileSketch.from(bytes(builder.encode(new Blocks(parts), () -> true).get("")));
    assertThat(sketch.blocks().count()).isEqualTo(blocks.size());
    // What is read has no zeros at the end of a filter.
    assertThat(sketch.weight() - sketch.blocks().weight()).isBetween(weight * 9 / 10, weight);
    return sketch;
  }

  private void fill(Random random) {
    blocks.clear();
    for (int block = 0; block < 20; block++) {
      int from = random.nextInt(TOKENS);
      blocks.add(
          random
              .ints(random.nextInt(30), from, Math.min(TOKENS, from + 200))
              .mapToObj(token -> new Version(token, 100L + random.nextInt(50)))
              .toList());
    }
  }

  private static Set<Integer> found(FileSketch sketch, Wanted wanted) throws Exception {
    Shortlist list = sketch.search(wanted, new BitSet(), null);
    assertThat(list.numbers()).isSorted();
    return new HashSet<>(Arrays.stream(list.numbers()).boxed().toList());
  }

  private static byte[] bytes(Content content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    content.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  @Test
  void search_findsEachBlockOfAWantedVersion_andNoneBeyondItsBounds() throws Exception {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      fill(random);
      FileSketch sketch = sketch(10);
      for (int i = 0; i < 100; i++) {
        int from = random.nextInt(TOKENS);
        int to = random.nextBoolean() ? from + 1 : from + 1 + random.nextInt(TOKENS - from);
        long time = 100L + random.nextInt(50);
        TimeRange times =
            random.nextBoolean() ? TimeRange.allTime() : TimeRange.between(time, time + 10);
        Set<Integer> found = found(sketch, wanted(from, to, times));
        for (int block = 0; block < blocks.size(); block++) {
          List<Version> versions = blocks.get(block);
          if (versions.stream()
              .anyMatch(
                  v ->
                      from <= v.token()
                          && v.token() < to
                          && times.withinTimeRange(v.timestamp()))) {
            assertThat(found).contains(block);
          }
          if (versions.stream().allMatch(v -> v.token() < from)
              || versions.stream().allMatch(v -> v.token() >= to)
              || versions.stream().allMatch(v -> v.timestamp() < times.getMin())
              || versions.stream().allMatch(v -> v.timestamp() >= times.getMax())) {
            assertThat(found).doesNotContain(block);
          }
        }
      }
    }
  }

  @Test
  void search_tellsTheNewestOfEachBlock() throws Exception {
    fill(new Random(1));
    Shortlist list = sketch(10).search(wanted(0, TOKENS, TimeRange.allTime()), new BitSet(), null);
    assertThat(list.numbers()).isNotEmpty();
    for (int i = 0; i < list.numbers().length; i++) {
      assertThat(list.newest()[i])
          .isEqualTo(
              blocks.get(list.numbers()[i]).stream()
                  .mapToLong(Version::timestamp)
                  .max()
                  .orElseThrow());
    }
  }

  /** By theory, of ten bits for each token one of 122 is in vain. */
  @Test
  void filters_leaveOutWhatTheyShould() throws Exception {
    Random random = new Random(1);
    for (int block = 0; block < 20; block++) {
      blocks.add(
          IntStream.range(0, TOKENS)
              .filter(token -> random.nextInt(20) == 0 || token == 0 || token == TOKENS - 1)
              .mapToObj(token -> new Version(token, 100))
              .toList());
    }
    for (int bits : new int[] {1, 10}) {
      FileSketch sketch = sketch(bits);
      int inVain = 0;
      for (int token = 1; token < TOKENS - 1; token++) {
        int wanted = token;
        for (int block : found(sketch, wanted(token, token + 1, TimeRange.allTime()))) {
          inVain += blocks.get(block).stream().noneMatch(v -> v.token() == wanted) ? 1 : 0;
        }
      }
      double share = inVain / (19.0 * TOKENS);
      assertThat(share).isBetween(bits == 1 ? 0.4 : 0.006, bits == 1 ? 0.7 : 0.011);
    }
  }

  /** Part of the format: what was written by an earlier release is looked for by it. */
  @Test
  void hashes_areTheSameForEver() throws Exception {
    assertThat(TokenBloom.hash(Bytes.toBytes("token"))).isEqualTo(-1_558_781_749_423_260_868L);
    TokenBloom bloom = TokenBloom.of(List.of(1L, -2L, TokenBloom.hash(token(3))), 10);
    assertThat(bloom.weight()).isEqualTo(64 + 8);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bloom.write(new DataOutputStream(bytes));
    assertThat(Bytes.toHex(bytes.toByteArray())).isEqualTo("0000001e00000007041c60753f");
  }

  @Test
  void zones_ofTokensWithoutAnyBehind_haveNoEnd() throws Exception {
    SketchBuilder builder = new SketchBuilder(INDEX, 10);
    byte[] greatest = new byte[2_000];
    Arrays.fill(greatest, (byte) 0xFF);
    builder.add(new byte[0], greatest, 5);
    builder.end(0);
    Blocks one = new Blocks(List.of(new Blocks.Part(new byte[0], 1)));
    FileSketch sketch = FileSketch.from(bytes(builder.encode(one, () -> true).get("")));
    assertThat(sketch.zones())
        .singleElement()
        .satisfies(zone -> assertThat(zone.tokens().end()).isEmpty());
  }

  /** As far as {@code LONGEST_BOUND} goes. */
  @Test
  void zones_tellLongTokensApartThatBeginAlike() throws Exception {
    for (int common : new int[] {200, 900, 2_000}) {
      SketchBuilder builder = new SketchBuilder(INDEX, 10);
      byte[] prefix = Bytes.toBytes("x".repeat(common));
      for (String token : List.of("a", "b", "c", "d")) {
        builder.add(new byte[0], Bytes.add(prefix, Bytes.toBytes(token), new byte[100]), 5);
      }
      builder.end(0);
      Blocks one = new Blocks(List.of(new Blocks.Part(new byte[0], 1)));
      FileSketch sketch = FileSketch.from(bytes(builder.encode(one, () -> true).get("")));
      TokenRange zone = sketch.zones().get(0).tokens();
      assertThat(zone.contains(Bytes.add(prefix, Bytes.toBytes("c")))).isTrue();
      assertThat(zone.contains(Bytes.add(prefix, Bytes.toBytes("e")))).isEqualTo(common > 1_024);
      assertThat(zone.first()).hasSize(Math.min(common + 64, 1_024));
    }
  }

  @Test
  void zones_boundAllTokens() throws Exception {
    assertThat(sketch(10).zones()).isEmpty();
    blocks.add(List.of());
    assertThat(sketch(10).zones()).isEmpty();
    blocks.add(List.of(new Version(7, 1), new Version(5, 1)));
    blocks.add(List.of(new Version(3, 1), new Version(4, 1)));
    Zone zone = sketch(10).zones().get(0);
    assertThat(zone.part()).isZero();
    assertThat(zone.tokens()).hasToString("[0003, 0007\\x00)");
  }

  @Test
  void weight_isThatOfTheTokensOfABlock_thenOfItsSketch() {
    SketchBuilder builder = new SketchBuilder(INDEX, 10);
    for (int i = 0; i < 6; i++) {
      builder.add(new byte[0], token(i % 3), 5);
    }
    assertThat(builder.weight()).isEqualTo(3 * 64);
    builder.end(0);
    assertThat(builder.weight()).isEqualTo(224 + 4 * 4 + 64 + 8);
  }
}
