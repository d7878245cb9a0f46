package io.deli.lab.experiment.catalog;

import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import java.util.SplittableRandom;
import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.Well19937c;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows of the size of NEXT's tweets with an indexed number (section 6.5): uniform, or the smaller
 * the likelier by Zipf's law, out of three times as many as there are rows. They are asked for by
 * numbers drawn evenly.
 */
final class Numbers {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final int NUMBERS_PER_ROW = 3;

  private static final String INDEX = "by_number";
  private static final Column NUMBER = Column.of(FAMILY, Bytes.toBytes("n"));
  private static final Column BODY = Column.of(FAMILY, Bytes.toBytes("body"));
  private static final int BODY_BYTES = 350;
  private static final int SEED = 0x4E57;

  private final int[] numbers;

  /**
   * Draws the numbers; the same ones each time.
   *
   * @param skew exponent of Zipf's law; 0 for uniform ones
   */
  Numbers(int rows, double skew) {
    numbers = new int[rows];
    int span = rows * NUMBERS_PER_ROW;
    SplittableRandom random = new SplittableRandom(SEED);
    if (skew == 0) {
      for (int row = 0; row < rows; row++) {
        numbers[row] = 1 + random.nextInt(span);
      }
    } else {
      ZipfDistribution zipf = new ZipfDistribution(new Well19937c(SEED), span, skew);
      for (int row = 0; row < rows; row++) {
        numbers[row] = zipf.sample();
      }
    }
  }

  static IndexDefinition index(String strategy) {
    return IndexDefinition.on(INDEX, NUMBER).withType(ValueType.LONG).withStrategy(strategy);
  }

  int rows() {
    return numbers.length;
  }

  Put put(int row) {
    byte[] body = new byte[BODY_BYTES];
    new SplittableRandom(row).nextBytes(body);
    return new Put(Bytes.toBytes("n%09d".formatted(row)))
        .addColumn(FAMILY, NUMBER.qualifier(), Bytes.toBytes((long) numbers[row]))
        .addColumn(FAMILY, BODY.qualifier(), body);
  }

  /** The rows of one number, of which there may be none. */
  ValueQuery one(SplittableRandom random) {
    return ValueQuery.on(INDEX).equalTo(Bytes.toBytes((long) draw(random)));
  }

  /** The rows of a range that would have so many if all numbers were as likely. */
  ValueQuery range(int hits, SplittableRandom random) {
    long low = draw(random);
    return ValueQuery.on(INDEX)
        .between(Bytes.toBytes(low), Bytes.toBytes(low + (long) hits * NUMBERS_PER_ROW - 1));
  }

  private int draw(SplittableRandom random) {
    return 1 + random.nextInt(rows() * NUMBERS_PER_ROW);
  }
}
