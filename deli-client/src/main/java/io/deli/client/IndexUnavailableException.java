package io.deli.client;

import org.apache.hadoop.hbase.DoNotRetryIOException;

/** An index that a query or a write needs cannot be used; the message says why and what to do. */
public final class IndexUnavailableException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  public IndexUnavailableException(String message) {
    super(message);
  }

  public IndexUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
