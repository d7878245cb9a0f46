package io.deli.lab.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The files and the process of an HBase on this machine, as far as they are known.
 *
 * @param files where its files are
 * @param process its number
 */
record Premises(Optional<Path> files, OptionalLong process) {
  /** The premises of an HBase that may be anywhere. */
  static final Premises UNKNOWN = new Premises(Optional.empty(), OptionalLong.empty());

  private static final String FROM_DISK = "read_bytes: ";

  /** The CPU time that the process took so far, where the system tells. */
  Optional<Duration> cpu() {
    return process.isPresent()
        ? ProcessHandle.of(process.getAsLong()).flatMap(each -> each.info().totalCpuDuration())
        : Optional.empty();
  }

  /** The bytes that the process had to have read from the disk so far, where the system tells. */
  OptionalLong bytesFromDisk() throws IOException {
    if (process.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      return Files.readAllLines(Path.of("/proc/%d/io".formatted(process.getAsLong()))).stream()
          .filter(line -> line.startsWith(FROM_DISK))
          .mapToLong(line -> Long.parseLong(line.substring(FROM_DISK.length())))
          .findFirst();
    } catch (NoSuchFileException e) {
      return OptionalLong.empty();
    }
  }
}
