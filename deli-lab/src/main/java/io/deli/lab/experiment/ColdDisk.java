package io.deli.lab.experiment;

import io.deli.lab.cluster.Shell;
import io.deli.tools.Failure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * A disk whose blocks the operating system has not in memory, so that what is beyond HBase's own
 * cache costs a read: Linux drops its cache of files on request. It is the whole machine's, and
 * what is not on the disk yet stays.
 */
public final class ColdDisk {
  private static final Path CONTROL = Path.of("/proc/sys/vm/drop_caches");
  private static final byte[] PAGES = "1".getBytes(StandardCharsets.US_ASCII);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Path control;
  private final Duration pause;
  private final Optional<ReadThrottle> throttle;

  ColdDisk(Path control, Duration pause, Optional<ReadThrottle> throttle) {
    this.control = control;
    this.pause = pause;
    this.throttle = throttle;
  }

  /**
   * The disk that has a directory, slowed down to so many reads a second; fails if it cannot be.
   */
  public static ColdDisk with(Path directory, Optional<Integer> reads) {
    try {
      new ColdDisk(CONTROL, PAUSE, Optional.empty()).drop();
    } catch (UncheckedIOException e) {
      throw Failure.usage(
          "the operating system's cache cannot be dropped, which takes Linux, and root: "
              + e.getCause());
    }
    return new ColdDisk(
        CONTROL, PAUSE, reads.map(number -> ReadThrottle.ofDiskWith(directory, number)));
  }

  String description() {
    return "dropped every %d ms while measured; what was written before is on the disk%s"
        .formatted(
            pause.toMillis(),
            throttle.map(bound -> "; the disk: " + bound.description()).orElse(""));
  }

  private void drop() {
    try {
      Files.write(control, PAGES, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Has all that was written put onto the disk, without which it would stay in memory. */
  void settle() {
    Shell.require(Shell.run("sync"));
    drop();
  }

  void during(OptionalLong hbase, Lab.Step step) throws IOException {
    if (throttle.isPresent()) {
      throttle.get().during(hbase.orElseThrow(), () -> droppedDuring(step));
    } else {
      droppedDuring(step);
    }
  }

  private void droppedDuring(Lab.Step step) throws IOException {
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      ScheduledFuture<?> dropping =
          timer.scheduleWithFixedDelay(this::drop, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
      step.run();
      if (dropping.isDone()) {
        // It goes on until it fails.
        FutureUtils.get(dropping);
      }
    } finally {
      timer.shutdownNow();
    }
  }
}
