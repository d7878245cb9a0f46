package io.deli.client.internal.read;

import io.deli.client.ValueHit;
import io.deli.client.internal.read.HitPage.PositionedHit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.util.Bytes;

/** Keeps the newest hits of a whole run, where entries do not come newest first; one page. */
final class MostRecent implements HitPages {
  private static final Comparator<PositionedHit> NEWEST_FIRST =
      Comparator.comparing(
          PositionedHit::hit,
          Comparator.comparingLong(ValueHit::timestamp)
              .reversed()
              .thenComparing(ValueHit::row, Bytes.BYTES_COMPARATOR));

  private final HitPages all;
  private final int most;
  private final PriorityQueue<PositionedHit> oldestFirst =
      new PriorityQueue<>(NEWEST_FIRST.reversed());

  MostRecent(HitPages all, int most) {
    this.all = all;
    this.most = most;
  }

  @Override
  public CompletableFuture<HitPage> next() {
    return all.drain(this::keep).thenApply(done -> new HitPage(newest(), Optional.empty(), true));
  }

  private boolean keep(HitPage page) {
    for (PositionedHit hit : page.hits()) {
      oldestFirst.add(hit);
      if (oldestFirst.size() > most) {
        oldestFirst.remove();
      }
    }
    return !page.last();
  }

  private List<PositionedHit> newest() {
    List<PositionedHit> hits = new ArrayList<>(oldestFirst);
    hits.sort(NEWEST_FIRST);
    return hits;
  }
}
