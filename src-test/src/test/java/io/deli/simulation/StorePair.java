package io.deli.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.util.Bytes;

/** A store, and a list to which the same is done. */
final class StorePair {
  private static final byte[] ALL = {};
  private static final List<String> NAMES = List.of("a", "a\0", "a\0\0b", "b", "\0", "\u00ff");

  private final LogStructuredStore store;
  private final Random random;
  private final List<Cell> model = new ArrayList<>();
  private long written;
  private byte[] start = ALL;
  private byte[] stop = ALL;

  StorePair(LogStructuredStore store, Random random) {
    this.store = store;
    this.random = random;
  }

  /** Does something to both. */
  void act() {
    switch (random.nextInt(8)) {
      case 0 -> store.flush();
      case 1 -> store.crash();
      case 2 -> drop();
      default -> put();
    }
    start = random.nextBoolean() ? ALL : name(random);
    stop = random.nextBoolean() ? ALL : name(random);
  }

  private void put() {
    List<Cell> cells = Stream.generate(() -> cell(random)).limit(random.nextInt(5)).toList();
    for (Cell cell : cells) {
      KeyValue copy = KeyValueUtil.copyToNewKeyValue(cell);
      copy.setSequenceId(++written);
      model.add(copy);
    }
    model.sort(LogStructuredStore.ORDER);
    store.put(cells);
  }

  private void drop() {
    List<Cell> cells = store.scan(ALL, ALL);
    int[] dead = IntStream.range(0, model.size()).filter(place -> random.nextInt(4) == 0).toArray();
    store.drop(IntStream.of(dead).mapToObj(cells::get).toList());
    for (int i = dead.length - 1; i >= 0; i--) {
      model.remove(dead[i]);
    }
  }

  private static byte[] name(Random random) {
    return Bytes.toBytes(NAMES.get(random.nextInt(NAMES.size())));
  }

  /** Some with equal coordinates. */
  static Cell cell(Random random) {
    KeyValue.Type type = random.nextInt(4) == 0 ? KeyValue.Type.DeleteColumn : KeyValue.Type.Put;
    return new KeyValue(
        name(random),
        Worker.FAMILY,
        name(random),
        1 + random.nextInt(2),
        type,
        type == KeyValue.Type.Put ? Bytes.toBytes(random.nextInt()) : ALL,
        List.of(new ArrayBackedTag((byte) 99, name(random))));
  }

  /** The cells of some rows in the store. */
  List<String> scan() {
    return words(store.scan(start, stop).stream());
  }

  /** The same in the model. */
  List<String> scanModel() {
    return words(
        model.stream()
            .filter(
                cell ->
                    LogStructuredStore.ORDER.compareRows(cell, start, 0, start.length) >= 0
                        && (stop.length == 0
                            || LogStructuredStore.ORDER.compareRows(cell, stop, 0, stop.length)
                                < 0)));
  }

  private static List<String> words(Stream<Cell> cells) {
    return cells.map(cell -> Bytes.toStringBinary(KeyValueUtil.copyToNewByteArray(cell))).toList();
  }
}
