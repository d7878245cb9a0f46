package io.deli.service;

import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * A client asked by a definition of an index that is not the region's. It has to read the
 * definitions again.
 */
public final class OutdatedDefinitionException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  /** As HBase's client makes it of a region server's. */
  public OutdatedDefinitionException(String message) {
    super(message);
  }
}
