package io.deli.client.internal.build;

import org.apache.hadoop.hbase.client.Scan;

/**
 * A range of the base table's rows, and how far it is done.
 *
 * @param next first row that is not done, inclusive; empty for the table's first
 * @param end exclusive; empty for the table's end
 */
record KeyRange(int number, byte[] next, byte[] end, boolean done) {
  Scan over(Scan scan) {
    return scan.withStartRow(next).withStopRow(end);
  }
}
