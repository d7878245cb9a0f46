package io.deli.fileindex.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SearchBoundsTest {
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private final SearchBounds bounds = new SearchBounds(1_000, 5, ended::get, nanos::get);

  @Test
  void timeIsBounded() {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(5));
    assertThat(bounds.isExceeded()).isFalse();
    nanos.incrementAndGet();
    assertThat(bounds.isExceeded()).isTrue();
  }

  @Test
  void readsAreBounded() {
    for (int i = 0; i < 10_000; i++) {
      bounds.read();
    }
    assertThat(bounds.isExceeded()).isFalse();
    bounds.read();
    assertThat(bounds.isExceeded()).isTrue();
  }

  @Test
  void whereNobodyWaits_nothingIsSearched() {
    assertThat(bounds.mostBytes()).isEqualTo(1_000);
    assertThat(bounds.isExceeded()).isFalse();
    ended.set(true);
    assertThat(bounds.isExceeded()).isTrue();
  }
}
