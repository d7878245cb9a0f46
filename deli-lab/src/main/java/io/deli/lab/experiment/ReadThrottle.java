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

  private final Hierarchy hierarchy;
  private final String device;
  private final int readsPerSecond;

  /**
   * The place of groups for block devices: in one tree for all controllers, or, with version 1 of
   * control groups, in one of their own.
   *
   * @param root the group that all others are below
   * @param file of a group, which takes limits
   * @param limit a line of it: device, reads per second
   */
  private record Hierarchy(Path root, String file, String limit) {
    static Hierarchy below(Path groups) {
      Path own = groups.resolve("blkio");
      return Files.isDirectory(own)
          ? new Hierarchy(own, "blkio.throttle.read_iops_device", "%s %d")
          : new Hierarchy(groups, "io.max", "%s riops=%d");
    }
  }

  /**
   * A throttle.
   *
   * @param groups where control groups are mounted
   * @param device numbers of a disk, {@code major:minor}
   */
  ReadThrottle(Path groups, String device, int readsPerSecond) {
    this.hierarchy = Hierarchy.below(groups);
    this.device = device;
    this.readsPerSecond = readsPerSecond;
  }

  /**
   * For the disk that holds a directory.
   *
   * @throws Failure if this process may not slow it down
   */
  public static ReadThrottle ofDiskWith(Path directory, int readsPerSecond) {
    try {
      ReadThrottle throttle =
          new ReadThrottle(GROUPS, disk(Files.createDirectories(directory)), readsPerSecond);
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

  /** Says how reads are bounded, for a report. */
  String description() {
    return "at most %,d reads a second".formatted(readsPerSecond);
  }

  /** A new group with the limit. */
  private Path group() throws IOException {
    Path group = Files.createDirectory(hierarchy.root().resolve("deli-" + UUID.randomUUID()));
    try {
      write(group.resolve(hierarchy.file()), hierarchy.limit().formatted(device, readsPerSecond));
      return group;
    } catch (IOException e) {
      Files.delete(group);
      throw e;
    }
  }

  /** Does something, while a process may read no faster. */
  void during(long process, Lab.Step step) throws IOException {
    Path group = group();
    Lab.cleaningUp(
        () -> {
          join(hierarchy.root(), process);
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
