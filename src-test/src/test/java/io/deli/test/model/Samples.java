package io.deli.test.model;

import io.deli.index.Column;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows and values to draw from: few enough to meet often, and awkward: empty, one the beginning of
 * another, with bytes 00 and FF, negative.
 */
final class Samples {
  private static final List<byte[]> ROWS =
      latin(
          "r0",
          "r1",
          "r10",
          "r11",
          "r1\0",
          "r1\0\0",
          "r1\u00FF",
          "r2",
          "r3",
          "r4",
          "r5",
          "r6",
          "r7",
          "r8",
          "r9",
          "\0",
          "\0\0",
          "\0\u00FF",
          "\u00FF",
          "\u00FF\u00FF",
          "a",
          "b",
          "v1",
          "v10",
          "m",
          "n",
          "x\0y",
          "zz");

  private static final List<byte[]> TEXTS =
      latin(
          "",
          "v",
          "v1",
          "v10",
          "v1\0",
          "v1\0\0",
          "v1\u00FF",
          "v2",
          "w",
          "\0",
          "\0\0",
          "\0\u00FF",
          "\u00FF",
          "\u00FF\u00FF",
          "r1");

  private static final List<byte[]> NAMES =
      latin(
          "",
          "a",
          "ab",
          "abc",
          "abcd",
          "abce",
          "ab\0",
          "b",
          "b\u00FF\u00FFz",
          "b\u00FF\u00FF",
          "\u00FF\u00FF\u00FF\u00FF",
          "\0ab");

  private static final List<byte[]> NUMBERS =
      List.of(
          Bytes.toBytes(Long.MIN_VALUE),
          Bytes.toBytes(-256L),
          Bytes.toBytes(-255L),
          Bytes.toBytes(-2L),
          Bytes.toBytes(-1L),
          Bytes.toBytes(0L),
          Bytes.toBytes(1L),
          Bytes.toBytes(2L),
          Bytes.toBytes(255L),
          Bytes.toBytes(256L),
          Bytes.toBytes(Long.MAX_VALUE));

  private static final List<byte[]> WORDS =
      latin("re", "red", "redder", "green", "gre\0n", "blue\u00FF", "blue", "r", "zz");

  private static final Map<Column, List<byte[]>> VALUES =
      Map.of(Schema.TEXT, TEXTS, Schema.NAME, NAMES, Schema.NUMBER, NUMBERS);

  private final Random random;

  Samples(Random random) {
    this.random = random;
  }

  private static List<byte[]> latin(String... texts) {
    return List.of(texts).stream().map(t -> t.getBytes(StandardCharsets.ISO_8859_1)).toList();
  }

  <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  /** One of a few rows half of the time. */
  byte[] row() {
    return random.nextBoolean() ? ROWS.get(random.nextInt(6)) : pick(ROWS);
  }

  byte[] value(Column column) {
    if (column.equals(Schema.PLAIN)) {
      return Bytes.toBytes(random.nextInt(1000));
    }
    return column.equals(Schema.NOTE) ? note() : pick(VALUES.get(column));
  }

  private byte[] note() {
    byte[] note = new byte[0];
    for (int words = random.nextInt(4); words > 0; words--) {
      note = note.length == 0 ? word() : Bytes.add(note, new byte[] {' '}, word());
    }
    return note;
  }

  byte[] word() {
    return pick(WORDS);
  }

  /** What a query on the column may be about. */
  byte[] operand(ModelIndex index) {
    return index.kind() == ModelIndex.Kind.WORDS ? word() : value(index.column());
  }
}
