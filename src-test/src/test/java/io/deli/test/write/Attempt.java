package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;

import io.deli.client.DeliTable;
import io.deli.test.cluster.TestTable;
import io.deli.test.fault.FaultyConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One write of some kind, on rows and with values that no other has.
 *
 * @param id tells it from others
 * @param time of the versions written before; so many milliseconds later each
 */
record Attempt(WriteKind kind, int id, long time, FaultyConnection connection, TestTable written) {
  static final String NEW = "new";

  /** A call that a client makes. */
  interface Call {
    void run() throws Exception;
  }

  List<String> rows() {
    return IntStream.range(0, kind.rows()).mapToObj(this::row).toList();
  }

  /** Every other row is in another region. */
  String row(int number) {
    return "%s%d-%d".formatted(number % 2 == 0 ? "a" : "z", id, number);
  }

  String value(String name) {
    return name + "-" + id;
  }

  static String old(int number) {
    return "old" + number;
  }

  long timeOf(int number) {
    return time + number;
  }

  Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(value(NEW)));
  }

  /** A delete of the only row. */
  Delete delete() {
    return new Delete(Bytes.toBytes(row(0)));
  }

  private Put putOld(String row, int number) {
    return new Put(Bytes.toBytes(row))
        .addColumn(FAMILY, QUALIFIER, timeOf(number), Bytes.toBytes(value(old(number))));
  }

  /** All values that its rows can have. */
  List<String> values() {
    List<String> values = new ArrayList<>(List.of(value(NEW)));
    IntStream.rangeClosed(1, kind.old()).forEach(number -> values.add(value(old(number))));
    return values;
  }

  /** Writes what its rows have before. */
  void prepare(DeliTable sound) throws Exception {
    List<Put> puts = new ArrayList<>();
    for (String row : rows()) {
      IntStream.rangeClosed(1, kind.old()).forEach(number -> puts.add(putOld(row, number)));
    }
    sound.put(puts);
    if (kind.old() > FaultTableTest.VERSIONS
        && written.index().strategy().retraction().forgetsSuperseded()) {
      // The oldest is no longer seen, so its entry may have been collected.
      written.deleteEntriesAt(timeOf(1));
    }
  }

  /** Makes the write; returns the rows of which it was told a success. */
  Set<String> run() throws Exception {
    try (DeliTable table = connection.getTable(written.name())) {
      return kind.write(this, table);
    } finally {
      connection.awaitQuiet();
    }
  }

  /** A call that writes the only row. */
  Set<String> one(Call call) throws Exception {
    try {
      call.run();
      return Set.of(row(0));
    } catch (IOException e) {
      return Set.of();
    }
  }
}
