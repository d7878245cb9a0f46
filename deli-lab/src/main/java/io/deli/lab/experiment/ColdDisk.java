package io.deli.lab.experiment;

import io.deli.lab.cluster.Await;
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
import java.util.UUID;
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
public record ColdDisk(Path control, Duration pause, Optional<ReadThrottle> throttle) {
  private static final Path CONTROL = Path.of("/proc/sys/vm/drop_caches");
  private static final byte[] PAGES = "1".getBytes(StandardCharsets.US_ASCII);
  private static final Duration PAUSE = Duration.ofMillis(100);

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

  /**
   * Bounds how many reads a second a process may have the disk do, so that a fast disk stands for a
   * slower one. Linux holds the reads back, by a control group for block devices that the process
   * is in meanwhile. What the operating system has in memory is read without the disk; writes are
   * not bounded.
   */
  public static final class ReadThrottle {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final Path DEVICES = Path.of("/sys/dev/block");
    private static final String MEMBERS = "cgroup.procs";
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final int readsPerSecond;
    private final Path root;
    private final String file;
    private final String limit;

    /**
     * In one tree for all controllers or, with version 1 of control groups, in one of their own.
     */
    private ReadThrottle(String device, int readsPerSecond) {
      this.readsPerSecond = readsPerSecond;
      Path own = GROUPS.resolve("blkio");
      boolean isFirst = Files.isDirectory(own);
      root = isFirst ? own : GROUPS;
      file = isFirst ? "blkio.throttle.read_iops_device" : "io.max";
      limit = (isFirst ? "%s %d" : "%s riops=%d").formatted(device, readsPerSecond);
    }

    /** Fails if this process may not slow down the disk that holds the directory. */
    public static ReadThrottle ofDiskWith(Path directory, int readsPerSecond) {
      try {
        ReadThrottle throttle =
            new ReadThrottle(disk(Files.createDirectories(directory)), readsPerSecond);
        Files.delete(throttle.group());
        return throttle;
      } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
        throw Failure.usage(
            "reads from the disk of %s cannot be bounded, which takes a disk of its own, root, and Linux's control groups for block devices: %s"
                .formatted(directory, e));
      }
    }

    /**
     * Numbers of the disk: limits are for whole disks, and a partition is a directory in its
     * disk's.
     */
    private static String disk(Path directory) throws IOException {
      long number = (long) Files.getAttribute(directory, "unix:dev");
      long major = (number >>> 8) & 0xfff;
      long minor = (number & 0xff) | ((number >>> 12) & 0xfff00);
      Path device = DEVICES.resolve(major + ":" + minor).toRealPath();
      Path whole = Files.exists(device.resolve("partition")) ? device.getParent() : device;
      return Files.readString(whole.resolve("dev")).strip();
    }

    String description() {
      return "at most %,d reads a second".formatted(readsPerSecond);
    }

    private Path group() throws IOException {
      Path group = Files.createDirectory(root.resolve("deli-" + UUID.randomUUID()));
      try {
        write(group.resolve(file), limit);
        return group;
      } catch (IOException e) {
        Files.delete(group);
        throw e;
      }
    }

    void during(long process, Lab.Step step) throws IOException {
      Path group = group();
      Lab.cleaningUp(
          () -> end(group),
          () -> {
            join(group, process);
            step.run();
          });
    }

    /** Removes a group, of which children of the process, and what just ended, are members. */
    private void end(Path group) throws IOException {
      if (!Await.until(PATIENCE, () -> hasEnded(group))) {
        Files.delete(group);
      }
    }

    private boolean hasEnded(Path group) {
      try {
        for (String member : Files.readAllLines(group.resolve(MEMBERS))) {
          join(root, Long.parseLong(member));
        }
        Files.delete(group);
        return true;
      } catch (IOException e) {
        return false;
      }
    }

    private static void join(Path group, long process) throws IOException {
      write(group.resolve(MEMBERS), Long.toString(process));
    }

    private static void write(Path control, String line) throws IOException {
      Files.writeString(control, line, StandardOpenOption.WRITE);
    }
  }
}
