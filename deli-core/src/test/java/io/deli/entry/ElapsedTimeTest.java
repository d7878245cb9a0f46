package io.deli.entry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.Example;

class ElapsedTimeTest {
  private final AtomicLong nanos = new AtomicLong(-5);
  private final AtomicLong millis = new AtomicLong(1_000_000);
  private final ElapsedTime time =
      new ElapsedTime(nanos::get, () -> Instant.ofEpochMilli(millis.get()));

  private void pass(long ofTicker, long ofClock) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(ofTicker));
    millis.addAndGet(ofClock);
  }

  private long elapsedMillis(Runnable meanwhile) {
    long begun = time.getAsLong();
    meanwhile.run();
    return TimeUnit.NANOSECONDS.toMillis(time.getAsLong() - begun);
  }

  @Example
  void isTheTickersWhileBothGoOn() {
    assertThat(elapsedMillis(() -> pass(70, 70))).isEqualTo(70);
    assertThat(elapsedMillis(() -> pass(70, 270))).isEqualTo(70);
  }

  @Example
  void goesOnWhileTheTickerStandsStill() {
    assertThat(elapsedMillis(() -> pass(0, 600_000))).isEqualTo(600_000);
    assertThat(elapsedMillis(() -> pass(10, 10))).isEqualTo(10);
    assertThat(elapsedMillis(() -> pass(10, 600_010))).isEqualTo(600_010);
  }

  @Example
  void toleratesHalfASecond_whateverTheOrigins() {
    assertThat(elapsedMillis(() -> pass(0, 500))).isZero();
    assertThat(elapsedMillis(() -> pass(0, 1))).isEqualTo(501);
    assertThat(elapsedMillis(() -> pass(0, 500))).isZero();
    assertThat(elapsedMillis(() -> pass(0, 1))).isEqualTo(501);
  }

  @Example
  void ofTheSystem_isNanoTime() {
    long before = System.nanoTime();
    long elapsed = ElapsedTime.system().getAsLong();
    assertThat(elapsed).isBetween(before, System.nanoTime());
  }

  @Example
  void doesNotGoBackWithTheClock() {
    assertThat(elapsedMillis(() -> pass(0, 600_000))).isEqualTo(600_000);
    assertThat(elapsedMillis(() -> pass(10, -3_600_000))).isEqualTo(10);
  }

  @Example
  void goesOnWhileTheTickerStandsStill_afterTheClockWasSetBack() {
    assertThat(elapsedMillis(() -> pass(10, -3_600_000))).isEqualTo(10);
    assertThat(elapsedMillis(() -> pass(0, 1_800_000))).isEqualTo(1_800_000);
  }
}
