package io.deli.lab.experiment.catalog;

import io.deli.index.Column;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows like the tweets of LevelDB++ (section 5.1): a key that grows, 30 rows to a user on average,
 * few users with many rows, 35 rows a second, 550 bytes a row. What row n has follows from n alone.
 */
final class Tweets {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final Column USER = Column.of(FAMILY, Bytes.toBytes("user"));
  static final Column SECOND = Column.of(FAMILY, Bytes.toBytes("second"));

  /** What makes the least and most active users differ as much as in Zipf's law, nearly. */
  static final double SKEW = 0.8;

  static final int ROWS_PER_USER = 30;

  static final int ROWS_PER_SECOND = 35;

  private static final Column BODY = Column.of(FAMILY, Bytes.toBytes("body"));
  private static final int BODY_BYTES = 420;
  private static final long SEED = 0x7EE7;

  private final int rows;
  private final double[] shares;

  Tweets(int rows) {
    this.rows = rows;
    this.shares = new double[Math.max(1, rows / ROWS_PER_USER)];
    double sum = 0;
    for (int rank = 0; rank < shares.length; rank++) {
      sum += Math.pow(rank + 1, -SKEW);
      shares[rank] = sum;
    }
  }

  int rows() {
    return rows;
  }

  int users() {
    return shares.length;
  }

  static byte[] key(int row) {
    return Bytes.toBytes("t%09d".formatted(row));
  }

  int seconds() {
    return 1 + (rows - 1) / ROWS_PER_SECOND;
  }

  static byte[] second(int number) {
    return Bytes.toBytes((long) number);
  }

  /** Their names are in no order of how active they are. */
  byte[] user(int number) {
    return Bytes.toBytes("u%06d".formatted(number));
  }

  /** The user of a row. */
  int userOf(int row) {
    double drawn = new SplittableRandom(SEED + row).nextDouble() * shares[shares.length - 1];
    int found = Arrays.binarySearch(shares, drawn);
    int rank = Math.min(shares.length - 1, found < 0 ? -found - 1 : found);
    // A prime larger than any number of users scatters the ranks.
    return (int) (rank * 1_000_003L % shares.length);
  }

  /** A user, as likely as the rows have it. */
  int drawUser(SplittableRandom random) {
    return userOf(random.nextInt(rows));
  }

  Put put(int row) {
    return put(row, row);
  }

  /** With another row's content, as an update. */
  Put put(int row, int content) {
    byte[] body = new byte[BODY_BYTES];
    new SplittableRandom(SEED - content).nextBytes(body);
    return new Put(key(row))
        .addColumn(FAMILY, USER.qualifier(), user(userOf(content)))
        .addColumn(FAMILY, SECOND.qualifier(), second(content / ROWS_PER_SECOND))
        .addColumn(FAMILY, BODY.qualifier(), body);
  }
}
