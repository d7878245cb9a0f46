package io.deli.lab.campaign;

import io.deli.lab.judge.CallLog;
import io.deli.lab.judge.HistoryRecord;
import io.deli.lab.judge.RowOperation;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The history of one client process, in files one after the other, a line each record. A record is
 * with the operating system when the method that enters it returns, so that it outlasts the
 * process. Thread-safe.
 *
 * <p>The begins are written in the order of their times: a reader knows that nothing which began
 * earlier than the last will be written.
 */
final class HistoryFile extends CallLog implements AutoCloseable {
  private static final long MOST_BYTES = 16 << 20;

  private final Path directory;
  private final String client;
  private OutputStream out;
  private int number;
  private long bytes;

  /**
   * @param client unique, of this process
   */
  HistoryFile(Path directory, String client) throws IOException {
    this.directory = directory;
    this.client = client;
    open();
  }

  static Path file(Path directory, String client, int number) {
    return directory.resolve("%s.%05d.history".formatted(client, number));
  }

  private void open() throws IOException {
    out = Files.newOutputStream(file(directory, client, number), StandardOpenOption.CREATE_NEW);
    bytes = 0;
  }

  @Override
  public synchronized Call begin(List<RowOperation> writes) {
    return super.begin(writes);
  }

  @Override
  protected void entered(HistoryRecord.Begin begin, HistoryRecord record) {
    enter(record);
  }

  synchronized void beat() {
    enter(new HistoryRecord.Beat(System.nanoTime()));
  }

  private void enter(HistoryRecord record) {
    byte[] line = (record.toJson() + "\n").getBytes(StandardCharsets.UTF_8);
    synchronized (this) {
      try {
        if (bytes > MOST_BYTES) {
          out.close();
          number++;
          open();
        }
        bytes += line.length;
        out.write(line);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public synchronized void close() throws IOException {
    out.close();
  }

  /**
   * Reads the history of a client process while that writes it. A record of which the end is
   * missing is left until it is there, or for good if the process is dead. Not thread-safe.
   */
  static final class HistoryTail implements AutoCloseable {
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

    Optional<Path> file() {
      return file;
    }

    /** Takes a good many of the records that are there; returns whether there may be more. */
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
}
