package io.deli.service;

import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * Signals that a client's index definition differs from the region's; the client has to read the
 * definitions again.
 */
public final class OutdatedDefinitionException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  /** Called by HBase's client to rebuild the exception of a region server. */
  public OutdatedDefinitionException(String message) {
    super(message);
  }
}
