package io.deli.fileindex.internal.next;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.fileindex.internal.blocks.Blocks;
import io.deli.fileindex.internal.hbase.MetaBlocks.Content;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Index;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Postings are made in a bounded number of bytes. */
class PostingsMemoryTest {
  private static final Index INDEX =
      Index.of(TableName.valueOf("t"), IndexDefinition.on("i", Column.parse("f:q")));
  private static final ZoneSplit WHOLE = new ZoneSplit(0, 1, Long.MAX_VALUE);
  private static final int ZONES = 16;
  private static final int ROWS = 50_000;

  @TempDir private Path directory;
  private PostingSorter sorter;

  private PostingsBuilder builder(ZoneSplit split, long mostInRun) {
    sorter = new PostingSorter(directory, mostInRun);
    return new PostingsBuilder(INDEX, split, sorter);
  }

  /** Values of any length may be tokens, and a row may have any number of them. */
  @Test
  void weight_staysBoundedInARowOfLongTokens_whichAreSpilledBeforeItsEnd() throws Exception {
    PostingsBuilder builder = builder(WHOLE, 1 << 20);
    for (int token = 0; token < 100; token++) {
      builder.add(Bytes.toBytes("row"), Bytes.padTail(Bytes.toBytes(token), 100_000), 5);
      assertThat(builder.weight()).isGreaterThan(100_000).isLessThan(4_000_000);
    }
    assertThat(sorter.spilled()).isPresent();
    builder.discard();
  }

  @Test
  void weight_hasATokenOfARowOnce_howeverManyVersionsHaveIt() throws Exception {
    PostingsBuilder builder = builder(WHOLE, Long.MAX_VALUE);
    builder.add(Bytes.toBytes("row"), new byte[1_000_000], 5);
    long ofOne = builder.weight();
    assertThat(ofOne).isGreaterThan(1_000_000);
    builder.add(Bytes.toBytes("row"), new byte[1_000_000], 6);
    assertThat(builder.weight()).isEqualTo(ofOne);
  }

  private PostingsBuilder ofRows(ZoneSplit split) throws IOException {
    PostingsBuilder builder = builder(split, 200_000);
    Random random = new Random(1);
    for (int row = 0; row < ROWS; row++) {
      builder.add(Bytes.toBytes(row), Bytes.toBytes(random.nextLong()), 5);
    }
    return builder;
  }

  private static ZoneSplit divided(long mostBytes) {
    return new ZoneSplit(1, ZONES, mostBytes);
  }

  private NavigableMap<String, byte[]> encoded(ZoneSplit split) throws IOException {
    NavigableMap<String, byte[]> encoded = new TreeMap<>();
    for (Map.Entry<String, Content> each :
        ofRows(split).encode(new Blocks(List.of()), () -> true).entrySet()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      each.getValue().write(new DataOutputStream(bytes));
      encoded.put(each.getKey(), bytes.toByteArray());
    }
    return encoded;
  }

  private void assertSame(ZoneSplit split, NavigableMap<String, byte[]> expected) throws Exception {
    NavigableMap<String, byte[]> encoded = encoded(split);
    assertThat(encoded.keySet()).isEqualTo(expected.keySet());
    encoded.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(expected.get(name)));
  }

  @Test
  void zonesThatAreTooMany_areOneOfEachBlock() throws Exception {
    NavigableMap<String, byte[]> divided = encoded(divided(Long.MAX_VALUE));
    NavigableMap<String, byte[]> whole = encoded(WHOLE);
    assertThat(whole).hasSizeGreaterThan(10);
    assertThat(whole.get("")).isNotEqualTo(divided.get(""));
    long fit =
        FilePostings.from("", divided.get("")).zonesOfParts().stream()
            .mapToLong(FilePostings::zoneBytes)
            .sum();
    assertSame(divided(fit), divided);
    assertSame(divided(fit - 1), whole);
    assertSame(divided(fit / 2), whole);
    assertSame(divided(0), whole);
  }

  /** Nor while the blocks are made, though who makes them cannot know how many there will be. */
  @Test
  void weight_hasNoZonesThatAreTooMany() throws Exception {
    int most = 20_000;
    PostingsBuilder builder = ofRows(divided(most));
    List<Long> weights = new ArrayList<>();
    builder.encode(new Blocks(List.of()), () -> weights.add(builder.weight()));
    builder.discard();
    assertThat(weights.size() * ZONES * 320).isGreaterThan(2 * most);
    for (int blocks = 0; blocks < weights.size(); blocks++) {
      long ofZones = weights.get(blocks) - weights.get(0);
      assertThat(ofZones).isBetween(320L * blocks, most + 400L * blocks);
    }
  }
}
