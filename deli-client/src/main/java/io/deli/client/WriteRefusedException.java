package io.deli.client;

import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * A write that would leave an index wrong. It was refused before anything was written; the message
 * names the table, the row, the index and the remedy.
 */
public final class WriteRefusedException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  public WriteRefusedException(String message) {
    super(message);
  }

  public WriteRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
