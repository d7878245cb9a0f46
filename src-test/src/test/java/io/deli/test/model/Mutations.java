package io.deli.test.model;

import io.deli.index.Column;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;

/** Draws Puts and Deletes of one row. */
record Mutations(Random random, Samples samples, TestTime time, ModelTable model) {
  /** How far ahead of the clock a timestamp may be. */
  private static final int FUTURE = 3_000;

  private static final int PAST = 30_000;

  /** With or without timestamps of its own. */
  Put put(byte[] row) {
    if (random.nextInt(4) > 0) {
      return stampedPut(row);
    }
    if (random.nextBoolean()) {
      return fill(new Put(row, timestamp(row, samples.pick(Schema.COLUMNS))), row, false);
    }
    return fill(new Put(row), row, true);
  }

  /** All its timestamps will be the client's. */
  Put stampedPut(byte[] row) {
    return fill(new Put(row), row, false);
  }

  private Put fill(Put put, byte[] row, boolean ownTimestamps) {
    List<Column> columns = new ArrayList<>(Schema.COLUMNS);
    Collections.shuffle(columns, random);
    for (Column column : columns.subList(0, 1 + random.nextInt(3))) {
      byte[] value = value(row, column);
      if (ownTimestamps && random.nextInt(4) > 0) {
        put.addColumn(column.family(), column.qualifier(), timestamp(row, column), value);
      } else {
        put.addColumn(column.family(), column.qualifier(), value);
      }
    }
    return put;
  }

  /** Often the one that is there. */
  private byte[] value(byte[] row, Column column) {
    List<Version> current = model.visible(row, column, Long.MAX_VALUE, 3);
    return current.isEmpty() || random.nextInt(4) > 0
        ? samples.value(column)
        : samples.pick(current).value();
  }

  /** One that the column had, an old one, or one to come. */
  private long timestamp(byte[] row, Column column) {
    List<Long> known = model.timestamps(row, column);
    int dice = random.nextInt(10);
    if (dice < 5 && !known.isEmpty()) {
      return samples.pick(known.subList(0, Math.min(8, known.size())));
    }
    return dice < 8
        ? Math.max(1, time.millis() - random.nextInt(PAST))
        : time.millis() + random.nextInt(FUTURE);
  }

  /**
   * A delete of any kind.
   *
   * @param latest whether it may be of the latest version, which the server looks up
   */
  Delete delete(byte[] row, boolean latest) {
    Column column = samples.pick(Schema.INDEXED);
    byte[] family = column.family();
    byte[] qualifier = column.qualifier();
    long timestamp = timestamp(row, column);
    return switch (random.nextInt(12)) {
      case 0 -> new Delete(row);
      case 1 -> new Delete(row, timestamp);
      case 2 -> new Delete(row).addFamily(family);
      case 3 -> new Delete(row).addFamily(family, timestamp);
      case 4, 5 -> new Delete(row).addColumns(family, qualifier);
      case 6 -> new Delete(row).addColumns(family, qualifier, timestamp);
      case 7 -> plain(row);
      case 8 -> new Delete(row).addFamilyVersion(family, timestamp);
      case 9, 10 -> new Delete(row).addColumn(family, qualifier, timestamp);
      default ->
          latest
              ? new Delete(row).addColumn(family, qualifier)
              : new Delete(row).addColumns(family, qualifier);
    };
  }

  /** Never of an exact version: what that exposes in a column without index is a matter of luck. */
  private Delete plain(byte[] row) {
    Column column = Schema.PLAIN;
    return new Delete(row)
        .addColumns(column.family(), column.qualifier())
        .addColumns(Schema.NAME.family(), Schema.NAME.qualifier());
  }
}
