package io.deli.lab.campaign;

import io.deli.lab.judge.CallLog;
import io.deli.lab.judge.RowOperation;
import io.deli.lab.judge.RowQuery;
import io.deli.lab.judge.Span;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The history of one client process, in files one after the other. A record is with the operating
 * system when the method that enters it returns, so that it outlasts the process. Thread-safe.
 *
 * <p>The begins are written in the order of their times: a reader knows that nothing which began
 * earlier than the last will be written.
 */
final class HistoryFile implements CallLog, AutoCloseable {
  private static final long MOST_BYTES = 16 << 20;

  private final Path directory;
  private final String client;
  private FileChannel channel;
  private int number;
  private long bytes;
  private long calls;

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
    channel =
        FileChannel.open(
            file(directory, client, number),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE);
    bytes = 0;
  }

  @Override
  public Call begin(List<RowOperation> writes) {
    byte[] record = HistoryCodec.encode(new HistoryRecord.Begin(0, 0, writes));
    ByteBuffer buffer = ByteBuffer.wrap(record);
    synchronized (this) {
      long time = System.nanoTime();
      long call = ++calls;
      buffer.putLong(HistoryCodec.TIME_AT, time);
      buffer.putLong(HistoryCodec.TIME_AT + Long.BYTES, call);
      write(buffer);
      return new Begun(call, time);
    }
  }

  /** Says that this process lives. */
  synchronized void beat() {
    write(ByteBuffer.wrap(HistoryCodec.encode(new HistoryRecord.Beat(System.nanoTime()))));
  }

  private void end(HistoryRecord record) {
    ByteBuffer buffer = ByteBuffer.wrap(HistoryCodec.encode(record));
    synchronized (this) {
      write(buffer);
    }
  }

  private void write(ByteBuffer record) {
    try {
      if (bytes > MOST_BYTES) {
        channel.close();
        number++;
        open();
      }
      bytes += record.remaining();
      while (record.hasRemaining()) {
        channel.write(record);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final class Begun implements Call {
    private final long call;
    private final long begun;

    private Begun(long call, long begun) {
      this.call = call;
      this.begun = begun;
    }

    @Override
    public Span untilNow() {
      return new Span(begun, System.nanoTime());
    }

    @Override
    public void returned(List<RowOperation> told) {
      long ended =
          told.stream()
              .map(RowOperation::span)
              .filter(Span::hasEnd)
              .mapToLong(Span::ended)
              .findFirst()
              .orElseGet(System::nanoTime);
      end(new HistoryRecord.Told(call, ended, told));
    }

    @Override
    public void answered(RowQuery query) {
      end(new HistoryRecord.Answered(call, query.span().ended(), query));
    }

    @Override
    public void failed(int times, Throwable why) {
      end(new HistoryRecord.Failed(call, System.nanoTime(), times, why.getClass().getSimpleName()));
    }
  }

  @Override
  public synchronized void close() throws IOException {
    channel.close();
  }
}
