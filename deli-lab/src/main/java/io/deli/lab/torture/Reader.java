package io.deli.lab.torture;

import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValuePage;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.lab.judge.Span;
import io.deli.lab.torture.Read.Sighting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;

/** One reading thread of a client: by value, by range of values, page by page, and by key. */
final class Reader {
  private static final int PAGE = 3;

  private final Client client;
  private final DeliTable table;
  private final TortureWorkload workload;
  private final History history;
  private final Random random;

  Reader(Client client, TortureWorkload workload, History history, Random random)
      throws IOException {
    this.client = client;
    this.table = client.table();
    this.workload = workload;
    this.history = history;
    this.random = random;
  }

  /** Makes one read and enters its answer; returns whether there was one. */
  boolean step() {
    int versions = 1 + random.nextInt(workload.indexedVersions());
    try {
      switch (random.nextInt(6)) {
        case 0 -> byKey(TortureWorkload.row(random.nextInt(workload.rows())));
        case 1 -> byRange(versions);
        case 2 -> byPages(TortureWorkload.value(random), versions);
        default -> byValue(index(), TortureWorkload.value(random), versions);
      }
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  private String index() {
    return random.nextBoolean() ? TortureWorkload.BY_KEY : TortureWorkload.BY_TIME;
  }

  private void byKey(String row) throws IOException {
    int versions = 1 + random.nextInt(TortureWorkload.VERSIONS);
    long begun = System.nanoTime();
    List<Sighting> answer = new ArrayList<>();
    Get get =
        new Get(Bytes.toBytes(row))
            .addColumn(TortureWorkload.COLUMN.family(), TortureWorkload.COLUMN.qualifier())
            .readVersions(versions);
    for (Cell cell : table.get(get).rawCells()) {
      answer.add(new Sighting(row, Bytes.toString(CellUtil.cloneValue(cell)), cell.getTimestamp()));
    }
    enter("get of " + row, row::equals, value -> true, versions, answer, begun);
  }

  private void byValue(String index, String value, int versions) throws IOException {
    ValueQuery query = ValueQuery.on(index).equalTo(Bytes.toBytes(value)).versions(versions);
    long begun = System.nanoTime();
    List<Sighting> answer = scan(query);
    enter(question(index, value), row -> true, value::equals, versions, answer, begun);
  }

  private void byRange(int versions) throws IOException {
    byte[] low = Bytes.toBytes(TortureWorkload.value(random));
    String index = TortureWorkload.BY_KEY;
    ValueQuery query = ValueQuery.on(index).atLeast(low).versions(versions);
    long begun = System.nanoTime();
    List<Sighting> answer = scan(query);
    enter(
        question(index, "at least " + Bytes.toStringBinary(low)),
        row -> true,
        value -> Bytes.compareTo(Bytes.toBytes(value), low) >= 0,
        versions,
        answer,
        begun);
  }

  private List<Sighting> scan(ValueQuery query) throws IOException {
    List<Sighting> answer = new ArrayList<>();
    try (ValueScanner scanner = table.readValue(query)) {
      for (ValueHit hit : scanner) {
        answer.add(sighting(hit));
      }
    }
    return answer;
  }

  /** With continuations, so that the read takes long. */
  private void byPages(String value, int versions) throws IOException {
    String index = index();
    ValueQuery query =
        ValueQuery.on(index).equalTo(Bytes.toBytes(value)).versions(versions).limit(PAGE);
    long begun = System.nanoTime();
    List<Sighting> answer = new ArrayList<>();
    Optional<ValueQuery> next = Optional.of(query);
    while (next.isPresent()) {
      ValuePage page = FutureUtils.get(client.asyncTable().readValue(next.get()));
      page.hits().forEach(hit -> answer.add(sighting(hit)));
      next = page.continuation().map(query::from);
    }
    enter(question(index, value) + " by pages", r -> true, value::equals, versions, answer, begun);
  }

  private static String question(String index, String value) {
    return "query of " + index + " for '" + value + "'";
  }

  private static Sighting sighting(ValueHit hit) {
    return new Sighting(Bytes.toString(hit.row()), Bytes.toString(hit.value()), hit.timestamp());
  }

  private void enter(
      String question,
      Predicate<String> rows,
      Predicate<String> values,
      int versions,
      List<Sighting> answer,
      long begun) {
    Span span = new Span(begun, System.nanoTime());
    history.add(new Read(question, rows, values, versions, List.copyOf(answer), span));
  }
}
