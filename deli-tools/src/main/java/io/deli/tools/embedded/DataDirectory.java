package io.deli.tools.embedded;

import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.Failures;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Properties;

/**
 * The directory that an embedded HBase lives in: its data, its log, a lock that one process holds
 * while it runs, and a note of where it can be reached.
 */
public final class DataDirectory {
  private static final String STATE = "running.properties";

  private final Path root;

  public DataDirectory(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  /**
   * An embedded HBase that runs in a directory, and its address for clients.
   *
   * @param stays whether it runs until told to stop, rather than for the time of one command
   */
  public record Running(long pid, String zookeeper, boolean stays) {}

  /** The right to run on the directory; ends with the process at the latest. */
  public static final class Lock implements AutoCloseable {
    private final FileChannel channel;

    private Lock(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  public Path hbase() {
    return root.resolve("hbase");
  }

  public Path zookeeper() {
    return root.resolve("zookeeper");
  }

  public Path temporary() {
    return root.resolve("tmp");
  }

  public Path log() {
    return root.resolve("logs").resolve("hbase.log");
  }

  /** Takes the lock, creating the directory; empty if another process, or this one, has it. */
  public Optional<Lock> tryLock() {
    try {
      Files.createDirectories(root);
      FileChannel channel =
          FileChannel.open(
              root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = lock(channel);
      if (lock == null) {
        channel.close();
        return Optional.empty();
      }
      return Optional.of(new Lock(channel));
    } catch (IOException e) {
      throw new Failure(
          ExitCode.UNAVAILABLE,
          "cannot use data directory %s: %s: choose another with --data"
              .formatted(root, Failures.reason(e)),
          e);
    }
  }

  private static FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** The note of the process that holds the lock; empty while it starts. */
  public Optional<Running> running() {
    Properties note = new Properties();
    try (Reader in = Files.newBufferedReader(root.resolve(STATE))) {
      note.load(in);
      return Optional.of(
          new Running(
              Long.parseLong(note.getProperty("pid", "0")),
              note.getProperty("zookeeper"),
              Boolean.parseBoolean(note.getProperty("stays"))));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Says where the HBase of this directory can be reached; the caller holds the lock. */
  void announce(Running running) throws IOException {
    Properties note = new Properties();
    note.setProperty("pid", Long.toString(running.pid()));
    note.setProperty("zookeeper", running.zookeeper());
    note.setProperty("stays", Boolean.toString(running.stays()));
    Path complete = root.resolve(STATE + ".new");
    try (Writer out = Files.newBufferedWriter(complete)) {
      note.store(out, "the embedded HBase that runs on this directory");
    }
    Files.move(
        complete,
        root.resolve(STATE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /** Takes the note away, that of a killed process too; the caller holds the lock. */
  void withdraw() {
    try {
      Files.deleteIfExists(root.resolve(STATE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return root.toString();
  }
}
