package io.deli.fileindex.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.query.TokenRange;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class IndexCacheTest {
  private static final String STORE = "store";

  private final IndexCache cache = new IndexCache(100_000);

  /** What is known of a file, of as many zones. */
  private record Known(List<Zone> zones, long weight) implements FileIndex {
    static Known of(int zones, long weight) {
      return new Known(
          IntStream.range(0, zones)
              .mapToObj(number -> new Zone(TokenRange.only(Bytes.toBytes(number)), number))
              .toList(),
          weight);
    }

    @Override
    public Blocks blocks() {
      return new Blocks(List.of());
    }

    @Override
    public Shortlist search(Wanted wanted, BitSet parts, Source source) {
      return Shortlist.none(blocks());
    }
  }

  @Test
  void whatLeadsToFilesIsMadeAnewWhenThereAreOthers() {
    Map<Path, FileIndex> files = Map.of(new Path("a"), Known.of(10, 1_000));
    GlobalIndex first = cache.over(STORE, files);
    assertThat(cache.over(STORE, files)).isSameAs(first);
    GlobalIndex second = cache.over(STORE, Map.of(new Path("a"), Known.of(10, 1_000)));
    assertThat(second).isNotSameAs(first);
    cache.drop(STORE);
    assertThat(cache.over(STORE, files)).isNotSameAs(first);
  }

  /** Its zones are those of files that may be dropped themselves. */
  @Test
  void whatLeadsToFilesGoesWhenOthersNeedTheRoom() {
    FileIndex file = cache.keep("file", Known.of(100, 40_000));
    GlobalIndex global = cache.over(STORE, Map.of(new Path("file"), file));
    assertThat(global.weight()).isGreaterThan(20_000);
    assertThat(cache.get("file")).containsSame(file);
    cache.keep("other", Known.of(1, 99_000));
    assertThat(cache.get("file")).isEmpty();
    assertThat(cache.over(STORE, Map.of(new Path("file"), file))).isNotSameAs(global);
  }

  /** Else every lookup would drop what the next one reads again. */
  @Test
  void whatLeadsToFilesTakesNoRoomOfTheirs() {
    FileIndex file = cache.keep("file", Known.of(100, 90_000));
    GlobalIndex global = cache.over(STORE, Map.of(new Path("file"), file));
    assertThat(cache.get("file")).containsSame(file);
    assertThat(cache.over(STORE, Map.of(new Path("file"), file))).isNotSameAs(global);
    assertThat(cache.get("file")).containsSame(file);
  }

  @Test
  void whatIsTooLargeIsNotKeptButFinds() {
    Map<Path, FileIndex> files = Map.of(new Path("file"), Known.of(1_000, 10));
    GlobalIndex global = cache.over(STORE, files);
    assertThat(global.find(TokenRange.only(Bytes.toBytes(7))).get(new Path("file")).stream())
        .containsExactly(7);
    assertThat(cache.over(STORE, files)).isNotSameAs(global);
  }

  @Test
  void memoryMayBeMoreThanAnIntCounts() {
    long gigabyte = 1L << 30;
    IndexCache large = new IndexCache(8 * gigabyte);
    FileIndex file = large.keep("file", Known.of(1, 3 * gigabyte));
    assertThat(large.get("file")).containsSame(file);
  }
}
