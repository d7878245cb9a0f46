package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueHit;
import io.deli.client.internal.read.HitPage.PositionedHit;
import io.deli.client.internal.read.NewestHits.Rank;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class NewestHitsTest {
  private static PositionedHit hit(String row, long timestamp) {
    return new PositionedHit(
        new ValueHit(Bytes.toBytes(row), new byte[] {1}, timestamp, Result.EMPTY_RESULT),
        Position.startOf(0));
  }

  private static List<String> added(NewestHits newest, PositionedHit... hits) {
    for (PositionedHit each : hits) {
      newest.add(each);
    }
    return newest.newestFirst().stream()
        .map(each -> Bytes.toString(each.hit().row()) + each.hit().timestamp())
        .toList();
  }

  @Test
  void aRowThatIsGivenAgainTakesThePlaceOfNoOther() {
    assertThat(added(new NewestHits(2, true), hit("a", 5), hit("b", 3), hit("a", 9), hit("a", 7)))
        .containsExactly("a9", "b3");
    assertThat(added(new NewestHits(2, true), hit("a", 1), hit("b", 3), hit("c", 5), hit("a", 4)))
        .containsExactly("c5", "a4");
    assertThat(added(new NewestHits(2, false), hit("a", 5), hit("b", 3), hit("a", 9)))
        .containsExactly("a9", "a5");
  }

  @Test
  void whatIsMissingIsToldByRank() {
    NewestHits newest = new NewestHits(3, true);
    assertThat(newest.missing(Rank.LAST)).isEqualTo(3);
    added(newest, hit("a", 5), hit("b", 3));
    assertThat(newest.missing(new Rank(4, Bytes.toBytes("x")))).isEqualTo(2);
    assertThat(newest.missing(new Rank(3, Bytes.toBytes("b")))).isEqualTo(1);
    assertThat(newest.missing(Rank.LAST)).isEqualTo(1);
  }

  private static HitPages onePage() {
    return new HitPages() {
      private boolean begun;

      @Override
      public CompletableFuture<HitPage> next() {
        if (begun) {
          throw new IllegalStateException("a bug");
        }
        begun = true;
        return CompletableFuture.completedFuture(new HitPage(List.of(), Optional.empty(), false));
      }
    };
  }

  /** In a callback, where nobody would hear of it. */
  @Test
  void whatThrowsEndsTheDrawing() {
    assertThat(onePage().drain(page -> true)).isCompletedExceptionally();
    assertThat(
            onePage()
                .drain(
                    page -> {
                      throw new IllegalStateException("another");
                    }))
        .isCompletedExceptionally();
  }
}
