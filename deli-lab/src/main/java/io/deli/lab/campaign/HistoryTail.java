package io.deli.lab.campaign;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/**
 * Reads the history of a client process while that writes it. A record of which the end is missing
 * is left until it is there, or for good if the process is dead. Not thread-safe.
 */
final class HistoryTail implements AutoCloseable {
  private static final int CHUNK = 1 << 20;

  private final Path directory;
  private final String client;
  private final List<Path> files = new ArrayList<>();
  private Optional<FileChannel> channel = Optional.empty();
  private ByteBuffer buffer = ByteBuffer.allocate(2 * CHUNK).flip();

  HistoryTail(Path directory, String client) {
    this.directory = directory;
    this.client = client;
  }

  String client() {
    return client;
  }

  /** The files of which something was read, the oldest first. */
  List<Path> files() {
    return files;
  }

  /**
   * Takes records that are there, a good many at most.
   *
   * @param begun when a call began that the consumer was given
   * @return whether there may be more
   */
  boolean poll(LongUnaryOperator begun, Consumer<HistoryRecord> consumer) throws IOException {
    if (channel.isEmpty() && !next()) {
      return false;
    }
    // Asked first: what is written afterwards goes into the next file.
    boolean complete = Files.exists(HistoryFile.file(directory, client, files.size()));
    int read = fill();
    Optional<HistoryRecord> record = HistoryCodec.decode(buffer, begun);
    while (record.isPresent()) {
      consumer.accept(record.get());
      record = HistoryCodec.decode(buffer, begun);
    }
    if (read > 0) {
      return true;
    }
    return complete && next();
  }

  private int fill() throws IOException {
    buffer.compact();
    if (!buffer.hasRemaining()) {
      buffer = ByteBuffer.allocate(2 * buffer.capacity()).put(buffer.flip());
    }
    int read = channel.orElseThrow().read(buffer);
    buffer.flip();
    return read;
  }

  private boolean next() throws IOException {
    Path file = HistoryFile.file(directory, client, files.size());
    if (!Files.exists(file)) {
      return false;
    }
    close();
    channel = Optional.of(FileChannel.open(file, StandardOpenOption.READ));
    files.add(file);
    return true;
  }

  /** Reads one file, as far as it is whole. */
  static void read(Path file, LongUnaryOperator begun, Consumer<HistoryRecord> consumer)
      throws IOException {
    ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file));
    Optional<HistoryRecord> record = HistoryCodec.decode(all, begun);
    while (record.isPresent()) {
      consumer.accept(record.get());
      record = HistoryCodec.decode(all, begun);
    }
  }

  @Override
  public void close() throws IOException {
    if (channel.isPresent()) {
      channel.get().close();
    }
  }
}
