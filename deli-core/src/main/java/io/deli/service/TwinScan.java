package io.deli.service;

import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A request attached to a raw scan of the base table: also return the versions behind newer ones of
 * the same row, column and timestamp if they outlast these, newest first. It travels as attribute
 * {@code deli.twins}, which is one byte, the format version 1. A region server that does not know
 * it returns the newest one only, as HBase does.
 *
 * <p>HBase's client takes equal cells for one cell that was sent twice where a result ends between
 * them, in batched scans and if partial results are allowed.
 */
public final class TwinScan {
  private static final String ATTRIBUTE = "deli.twins";
  private static final byte[] FORMAT = {1};

  private TwinScan() {}

  /** Attaches the request to a raw scan, and returns that. */
  public static Scan ask(Scan raw) {
    return raw.setAttribute(ATTRIBUTE, FORMAT);
  }

  /** Whether a scan is raw and has the request. */
  public static boolean isAsked(Scan scan) {
    return scan.isRaw() && Bytes.equals(scan.getAttribute(ATTRIBUTE), FORMAT);
  }
}
