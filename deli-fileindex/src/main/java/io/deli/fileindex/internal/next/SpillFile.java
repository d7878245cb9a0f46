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
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file on the server's own disk for what does not fit into memory; only its owner can read it. It
 * has no name by the time it is written to, so that nothing is left of it when it is closed, or
 * forgotten, or the server dies. What it holds is encrypted by a key that never leaves this object,
 * since the table's own files may be. Not thread-safe.
 */
final class SpillFile implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(SpillFile.class);

  private static final int CIPHER_BLOCK = 16;

  private final FileChannel channel;
  private final SecretKey key;
  private long length;

  /**
   * Makes one.
   *
   * @param directory is made if there is none
   */
  SpillFile(Path directory) throws IOException {
    try {
      key = KeyGenerator.getInstance("AES").generateKey();
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
    // Some JDKs do not create what is there as a link to a directory, but fail.
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory);
    }
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
    ByteBuffer left = ByteBuffer.wrap(crypt(bytes, offset, count, length));
    while (left.hasRemaining()) {
      length += channel.write(left, length);
    }
  }

  /** Encrypts or decrypts what is at a position, which is the same: AES in counter mode. */
  private byte[] crypt(byte[] bytes, int offset, int count, long position) throws IOException {
    int skipped = (int) (position % CIPHER_BLOCK);
    byte[] counter =
        ByteBuffer.allocate(CIPHER_BLOCK).putLong(Long.BYTES, position / CIPHER_BLOCK).array();
    byte[] crypted = new byte[skipped + count];
    System.arraycopy(bytes, offset, crypted, skipped, count);
    try {
      Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(counter));
      crypted = cipher.doFinal(crypted);
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
    return skipped == 0 ? crypted : Arrays.copyOfRange(crypted, skipped, crypted.length);
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
    return crypt(read.array(), 0, count, offset);
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
        if (read > 0) {
          System.arraycopy(crypt(bytes, offset, read, next), 0, bytes, offset, read);
          next += read;
        }
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
