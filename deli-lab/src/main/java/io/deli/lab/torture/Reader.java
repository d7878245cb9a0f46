package io.deli.lab.torture;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValuePage;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.lab.judge.Span;
import io.deli.lab.torture.History.Read;
import io.deli.lab.torture.History.Sighting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.apache.hadoop.util.functional.CallableRaisingIOE;

/** One reading thread of a client: by value, by range of values, page by page, and by key. */
record Reader(
    DeliTable table,
    AsyncDeliTable async,
    TortureWorkload workload,
    History history,
    Random random) {
  private static final int PAGE = 3;

  /** Makes one read and enters its answer; returns whether there was one. */
  boolean step() {
    int versions = 1 + random.nextInt(workload.indexedVersions());
    String value = TortureWorkload.value(random);
    byte[] bytes = Bytes.toBytes(value);
    String index = random.nextBoolean() ? TortureWorkload.BY_KEY : TortureWorkload.BY_TIME;
    String question = "query of %s for '%s'".formatted(index, value);
    ValueQuery query = ValueQuery.on(index).equalTo(bytes).versions(versions);
    try {
      switch (random.nextInt(6)) {
        case 0 -> byKey(TortureWorkload.row(random.nextInt(workload.rows())));
        case 1 -> {
          ValueQuery range =
              ValueQuery.on(TortureWorkload.BY_KEY).atLeast(bytes).versions(versions);
          read(
              "query of %s for at least %s"
                  .formatted(TortureWorkload.BY_KEY, Bytes.toStringBinary(bytes)),
              row -> true,
              each -> Bytes.compareTo(Bytes.toBytes(each), bytes) >= 0,
              versions,
              () -> scan(range));
        }
        case 2 ->
            read(question + " by pages", row -> true, value::equals, versions, () -> pages(query));
        default -> read(question, row -> true, value::equals, versions, () -> scan(query));
      }
      return true;
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  private void byKey(String row) throws IOException {
    int versions = 1 + random.nextInt(TortureWorkload.VERSIONS);
    Get get =
        new Get(Bytes.toBytes(row))
            .addColumn(TortureWorkload.COLUMN.family(), TortureWorkload.COLUMN.qualifier())
            .readVersions(versions);
    read(
        "get of " + row,
        row::equals,
        value -> true,
        versions,
        () -> Arrays.stream(table.get(get).rawCells()).map(cell -> sighting(row, cell)).toList());
  }

  private static Sighting sighting(String row, Cell cell) {
    return new Sighting(row, Bytes.toString(CellUtil.cloneValue(cell)), cell.getTimestamp());
  }

  private List<Sighting> scan(ValueQuery query) throws IOException {
    List<Sighting> answer = new ArrayList<>();
    try (ValueScanner scanner = table.readValue(query)) {
      scanner.forEach(hit -> answer.add(sighting(hit)));
    }
    return answer;
  }

  /** With continuations, so that the read takes long. */
  private List<Sighting> pages(ValueQuery query) throws IOException {
    List<Sighting> answer = new ArrayList<>();
    Optional<ValueQuery> next = Optional.of(query.limit(PAGE));
    while (next.isPresent()) {
      ValuePage page = FutureUtils.get(async.readValue(next.get()));
      page.hits().forEach(hit -> answer.add(sighting(hit)));
      next = page.continuation().map(query.limit(PAGE)::from);
    }
    return answer;
  }

  private static Sighting sighting(ValueHit hit) {
    return new Sighting(Bytes.toString(hit.row()), Bytes.toString(hit.value()), hit.timestamp());
  }

  private void read(
      String question,
      Predicate<String> rows,
      Predicate<String> values,
      int versions,
      CallableRaisingIOE<List<Sighting>> answers)
      throws IOException {
    long begun = System.nanoTime();
    List<Sighting> answer = answers.apply();
    Span span = new Span(begun, System.nanoTime());
    history.add(new Read(question, rows, values, versions, answer, span));
  }
}
