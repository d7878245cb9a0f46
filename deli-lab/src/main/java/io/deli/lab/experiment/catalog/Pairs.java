package io.deli.lab.experiment.catalog;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.lab.experiment.ServerNeeds;
import io.deli.lab.experiment.Size;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** Rows with an indexed value of 20 bytes, which two of them share, and 200 bytes beside it. */
final class Pairs {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final Column VALUE = Column.of(FAMILY, Bytes.toBytes("v"));
  static final String INDEX = "by_v";

  private static final Column FILLER = Column.of(FAMILY, Bytes.toBytes("filler"));
  private static final int FILLER_BYTES = 200;
  private static final int ROWS_PER_VALUE = 2;

  private final int rows;

  Pairs(int rows) {
    this.rows = rows;
  }

  static IndexDefinition index(String strategy) {
    return IndexDefinition.on(INDEX, VALUE).withStrategy(strategy);
  }

  /** With a block cache that holds a part of the rows only. */
  static ServerNeeds server(Size size) {
    return ServerNeeds.heap(size.pick(512, 768, 1536)).withBlockCache(size.pick(8, 8, 48));
  }

  int rows() {
    return rows;
  }

  int values() {
    return Math.max(1, rows / ROWS_PER_VALUE);
  }

  static byte[] key(int row) {
    return Bytes.toBytes("key%09d".formatted(row));
  }

  static byte[] value(int number) {
    return Bytes.toBytes("value%015d".formatted(number));
  }

  static Put put(int row, int value) {
    return new Put(key(row))
        .addColumn(FAMILY, VALUE.qualifier(), value(value))
        .addColumn(FAMILY, FILLER.qualifier(), filler(row, value));
  }

  static byte[] filler(int row, int value) {
    byte[] filler = new byte[FILLER_BYTES];
    new SplittableRandom(row * 31L + value).nextBytes(filler);
    return filler;
  }

  /** The value that a row has at first. */
  int valueOf(int row) {
    return row / ROWS_PER_VALUE % values();
  }

  /** A row, with a value that it may or may not have had. */
  Put update(SplittableRandom random) {
    return put(random.nextInt(rows), random.nextInt(values()));
  }

  /** Writes every row once, in batches. */
  void fill(Store store, IntUnaryOperator value) throws IOException {
    fill(store, row -> true, value);
  }

  /** Writes those rows whose number leaves the rest when it is divided. */
  void fillPart(Store store, int divisor, int rest) throws IOException {
    fill(store, row -> row % divisor == rest, row -> row / ROWS_PER_VALUE);
  }

  private void fill(Store store, IntPredicate wanted, IntUnaryOperator value) throws IOException {
    store.fill(rows, wanted, row -> put(row, value.applyAsInt(row)));
  }

  /** Writes as many files with a version of every row each: all but one are garbage. */
  void fillVersions(Store store, int files) throws IOException {
    for (int file = 0; file < files; file++) {
      int generation = file;
      fill(store, row -> (row / ROWS_PER_VALUE + generation) % values());
      store.flush();
    }
  }

  /** Writes as many files with a part of the rows each, so that there is no garbage. */
  void fillParts(Store store, int files) throws IOException {
    for (int file = 0; file < files; file++) {
      fillPart(store, files, file);
      store.flush();
    }
  }
}
