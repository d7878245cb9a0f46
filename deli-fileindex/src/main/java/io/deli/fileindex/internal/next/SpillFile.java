package io.deli.fileindex.internal.next;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file on the server's own disk for what does not fit into memory; only its owner can read it. It
 * has no name by the time it is written to, so that nothing is left of it when it is closed, or
 * forgotten, or the server dies. Not thread-safe.
 */
final class SpillFile implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(SpillFile.class);

  private final FileChannel channel;
  private long length;

  /**
   * Makes one.
   *
   * @param directory is made if there is none
   */
  SpillFile(Path directory) throws IOException {
    Files.createDirectories(directory);
    Path file = Files.createTempFile(directory, "deli-postings", ".spill");
    try {
      channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } finally {
      Files.delete(file);
    }
  }

  /** The number of bytes that were appended. */
  long length() {
    return length;
  }

  void append(byte[] bytes, int offset, int count) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes, offset, count);
    while (left.hasRemaining()) {
      length += channel.write(left, length);
    }
  }

  /** Appends what is written; not buffered. */
  OutputStream appending() {
    return new OutputStream() {
      @Override
      public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int count) throws IOException {
        append(bytes, offset, count);
      }
    };
  }

  byte[] read(long offset, int count) throws IOException {
    ByteBuffer read = ByteBuffer.allocate(count);
    while (read.hasRemaining()) {
      if (channel.read(read, offset + read.position()) < 0) {
        throw new EOFException("%d bytes at %d".formatted(count, offset));
      }
    }
    return read.array();
  }

  /** A part of it; not buffered. */
  InputStream stream(long from, long to) {
    return new InputStream() {
      private long next = from;

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] bytes, int offset, int count) throws IOException {
        int most = (int) Math.min(count, to - next);
        if (most == 0) {
          return count == 0 ? 0 : -1;
        }
        int read = channel.read(ByteBuffer.wrap(bytes, offset, most), next);
        next += Math.max(0, read);
        return read;
      }
    };
  }

  /** Gives back its room on the disk; what fails then fails nobody. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.warn("a file of spilled postings cannot be closed", e);
    }
  }
}
