package io.deli.lab.campaign;

import io.deli.lab.judge.CallLog;
import io.deli.lab.judge.HistoryRecord;
import io.deli.lab.judge.RowOperation;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

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

  /** One of the files. */
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
  protected void began(HistoryRecord.Begin begin) {
    enter(begin);
  }

  @Override
  protected void ended(HistoryRecord.Begin begin, HistoryRecord end) {
    enter(end);
  }

  /** Says that this process lives. */
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
}
