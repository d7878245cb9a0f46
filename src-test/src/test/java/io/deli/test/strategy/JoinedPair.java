package io.deli.test.strategy;

import io.deli.client.ValueHit;
import io.deli.index.Column;
import io.deli.query.Tuple;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** A version of two columns of a row: a text and a number. */
record JoinedPair(String row, String user, long time, long timestamp) {
  /** By user, then the greatest time first. */
  static final Comparator<JoinedPair> ORDER =
      Comparator.comparing(JoinedPair::user)
          .thenComparing(Comparator.comparing(JoinedPair::time).reversed())
          .thenComparing(JoinedPair::row)
          .thenComparing(Comparator.comparing(JoinedPair::timestamp).reversed());

  static JoinedPair of(ValueHit hit) {
    List<byte[]> values = Tuple.values(hit.value());
    return new JoinedPair(
        Bytes.toString(hit.row()),
        Bytes.toString(values.get(0)),
        Bytes.toLong(values.get(1)),
        hit.timestamp());
  }

  /**
   * The result of a scan: of each row, the timestamps at which both columns have a version.
   *
   * @param asOf inclusive
   */
  static List<JoinedPair> all(Table plain, Column users, Column times, long asOf, int versions)
      throws IOException {
    Scan scan = new Scan().readVersions(versions);
    if (asOf < Long.MAX_VALUE) {
      scan.setTimeRange(0, asOf + 1);
    }
    List<JoinedPair> pairs = new ArrayList<>();
    try (ResultScanner rows = plain.getScanner(scan)) {
      for (Result row : rows) {
        for (Cell user : row.getColumnCells(users.family(), users.qualifier())) {
          row.getColumnCells(times.family(), times.qualifier()).stream()
              .filter(time -> time.getTimestamp() == user.getTimestamp())
              .forEach(time -> pairs.add(of(user, time)));
        }
      }
    }
    return pairs;
  }

  private static JoinedPair of(Cell user, Cell time) {
    return new JoinedPair(
        Bytes.toString(CellUtil.cloneRow(user)),
        Bytes.toString(CellUtil.cloneValue(user)),
        Bytes.toLong(CellUtil.cloneValue(time)),
        user.getTimestamp());
  }
}
