package io.deli.lab.experiment;

import io.deli.tools.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Bounds how many reads a second a process may have the disk do, so that a fast disk stands for a
 * slower one. Linux holds the reads back, by a control group for block devices that the process is
 * in meanwhile. What the operating system has in memory is read without the disk; writes are not
 * bounded.
 */
public final class ReadThrottle {
  private static final Path GROUPS = Path.of("/sys/fs/cgroup");
  private static final Path DEVICES = Path.of("/sys/dev/block");
  private static final String MEMBERS = "cgroup.procs";

  private final int readsPerSecond;
  private final Path root;
  private final String file;
  private final String limit;

  /** In one tree for all controllers or, with version 1 of control groups, in one of their own. */
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
   * Numbers of the disk: limits are for whole disks, and a partition is a directory in its disk's.
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
        () -> {
          join(root, process);
          Files.delete(group);
        },
        () -> {
          join(group, process);
          step.run();
        });
  }

  private static void join(Path group, long process) throws IOException {
    write(group.resolve(MEMBERS), Long.toString(process));
  }

  private static void write(Path control, String line) throws IOException {
    Files.writeString(control, line, StandardOpenOption.WRITE);
  }
}
