package io.deli.client;

import java.util.Objects;
import java.util.Optional;

/**
 * Options of an index build.
 *
 * @param threads that read the table and write entries
 * @param rowsPerSecond to read at most, all threads together; 0 for as many as they can
 * @param writer how they write entries; empty for Puts
 */
public record BuildOptions(int threads, long rowsPerSecond, Optional<EntryWriter> writer) {
  /** Four threads without a rate limit, writing by Puts. */
  public static final BuildOptions DEFAULT = new BuildOptions(4, 0);

  public BuildOptions {
    if (threads < 1) {
      throw new IllegalArgumentException(threads + " threads: give at least 1");
    }
    if (rowsPerSecond < 0) {
      throw new IllegalArgumentException(rowsPerSecond + " rows a second: give 0 or more");
    }
    Objects.requireNonNull(writer, "writer");
  }

  /** Creates options for a build that writes entries by Puts. */
  public BuildOptions(int threads, long rowsPerSecond) {
    this(threads, rowsPerSecond, Optional.empty());
  }

  public BuildOptions withThreads(int number) {
    return new BuildOptions(number, rowsPerSecond, writer);
  }

  public BuildOptions withRowsPerSecond(long number) {
    return new BuildOptions(threads, number, writer);
  }

  public BuildOptions withWriter(EntryWriter entryWriter) {
    return new BuildOptions(threads, rowsPerSecond, Optional.of(entryWriter));
  }
}
