package io.deli.tools.load;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes that pass; tells how far a file is read. */
public final class CountingInput extends FilterInputStream {
  private long count;

  public CountingInput(InputStream in) {
    super(in);
  }

  /** Bytes read so far. */
  public long count() {
    return count;
  }

  @Override
  public int read() throws IOException {
    int one = in.read();
    if (one >= 0) {
      count++;
    }
    return one;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int some = in.read(bytes, offset, length);
    if (some > 0) {
      count += some;
    }
    return some;
  }
}
