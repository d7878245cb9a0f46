package io.deli.lab.campaign;

import io.deli.lab.judge.HistoryRecord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads the history of a client process while that writes it. A record of which the end is missing
 * is left until it is there, or for good if the process is dead. Not thread-safe.
 */
final class HistoryTail implements AutoCloseable {
  private static final int CHUNK = 1 << 20;

  private final Path directory;
  private final String client;
  private int number;
  private Optional<Path> file = Optional.empty();
  private InputStream in = InputStream.nullInputStream();

  /** The begin of a record. */
  private byte[] rest = new byte[0];

  HistoryTail(Path directory, String client) {
    this.directory = directory;
    this.client = client;
  }

  /** The file that is read now. */
  Optional<Path> file() {
    return file;
  }

  /**
   * Takes records that are there, a good many at most.
   *
   * @return whether there may be more
   */
  boolean poll(Consumer<HistoryRecord> consumer) throws IOException {
    Path next = HistoryFile.file(directory, client, number);
    // Asked first: what is written afterwards goes into the next file.
    boolean complete = Files.exists(next);
    byte[] read = in.readNBytes(CHUNK);
    rest = take(Bytes.add(rest, read), consumer);
    if (read.length == 0 && complete) {
      close();
      in = Files.newInputStream(next);
      file = Optional.of(next);
      number++;
    }
    return read.length > 0 || complete;
  }

  /** Reads one file, as far as it is whole. */
  static void read(Path file, Consumer<HistoryRecord> consumer) throws IOException {
    var unused = take(Files.readAllBytes(file), consumer);
  }

  /** Returns what is left. */
  private static byte[] take(byte[] text, Consumer<HistoryRecord> consumer) {
    int begin = 0;
    for (int i = 0; i < text.length; i++) {
      if (text[i] == '\n') {
        String line = new String(text, begin, i - begin, StandardCharsets.UTF_8);
        consumer.accept(HistoryRecord.fromJson(line));
        begin = i + 1;
      }
    }
    return Bytes.tail(text, text.length - begin);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
