package io.deli.lab.experiment;

import io.deli.tools.Failure;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The operating system's cache of files, which Linux drops on request, so that what HBase's own
 * cache has not comes from the disk. It is the whole machine's, and what is not on the disk yet
 * stays.
 */
public final class PageCache {
  private static final Path CONTROL = Path.of("/proc/sys/vm/drop_caches");
  private static final byte[] PAGES = "1".getBytes(StandardCharsets.US_ASCII);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Path control;
  private final Duration pause;

  /**
   * A cache.
   *
   * @param control what is written to to drop it
   */
  PageCache(Path control, Duration pause) {
    this.control = control;
    this.pause = pause;
  }

  /**
   * The page cache of this machine.
   *
   * @throws Failure if this process may not drop it
   */
  public static PageCache ofThisMachine() {
    PageCache cache = new PageCache(CONTROL, PAUSE);
    try {
      cache.drop();
      return cache;
    } catch (UncheckedIOException e) {
      throw Failure.usage(
          "the operating system's cache cannot be dropped, which takes Linux, and root: "
              + e.getCause());
    }
  }

  /** Says how it is dropped, for a report. */
  String description() {
    return "dropped every %d ms while measured; what was written before is on the disk"
        .formatted(pause.toMillis());
  }

  private void drop() {
    try {
      Files.write(control, PAGES, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Has all that was written put onto the disk, without which it would stay, and drops it. */
  void empty() throws IOException {
    try {
      int code = new ProcessBuilder("sync").inheritIO().start().waitFor();
      if (code != 0) {
        throw new IOException("sync failed with code " + code);
      }
      drop();
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("stopped waiting").initCause(e);
    }
  }

  /** Does something, while the cache is dropped again and again. */
  void droppedDuring(Lab.Step step) throws IOException {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "experiment-drop-caches");
              thread.setDaemon(true);
              return thread;
            });
    try {
      ScheduledFuture<?> dropping =
          timer.scheduleWithFixedDelay(this::drop, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
      step.run();
      if (dropping.isDone()) {
        // It goes on until it fails.
        dropping.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("the operating system's cache was dropped no more", e.getCause());
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("stopped waiting").initCause(e);
    } finally {
      timer.shutdownNow();
    }
  }
}
