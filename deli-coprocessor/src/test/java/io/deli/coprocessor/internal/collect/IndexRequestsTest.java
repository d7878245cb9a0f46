package io.deli.coprocessor.internal.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.deli.config.GcMode;
import io.deli.coprocessor.internal.collect.Collector.GcSettings;
import io.deli.coprocessor.internal.scan.RowPiece;
import io.deli.coprocessor.internal.send.IndexDelete;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** What goes to indexes in which portions, and what becomes of it when they answer, or do not. */
class IndexRequestsTest {
  private static final TableName TABLE = TableName.valueOf("t.i");
  private static final TableName OTHER = TableName.valueOf("t.j");
  private static final long LONG_MILLIS = 600_000;

  private record Sent(
      TableName table,
      List<IndexDelete> deletes,
      CompletableFuture<Void> answer,
      Runnable progress) {
    void acknowledge() {
      deletes.forEach(IndexDelete::acknowledge);
      progress.run();
      answer.complete(null);
    }

    void refuse() {
      deletes.forEach(delete -> delete.fail(new IOException("refused")));
      answer.complete(null);
    }
  }

  private final List<Sent> sent = new ArrayList<>();
  private final List<TableName> givenUp = new ArrayList<>();

  private IndexRequests requests(int limit, long timeoutMillis) {
    return new IndexRequests(
        (table, deletes, timeout, progress) -> {
          sent.add(new Sent(table, deletes, new CompletableFuture<>(), progress));
          return sent.get(sent.size() - 1).answer();
        },
        new GcSettings(GcMode.STREAMING, 1 << 20, limit, timeoutMillis),
        (table, failure) -> givenUp.add(table),
        System::nanoTime);
  }

  private static Map.Entry<TableName, Cell> delete(TableName table, int row) {
    return Map.entry(
        table,
        new KeyValue(
            Bytes.toBytes("%06d".formatted(row)),
            Bytes.toBytes("e"),
            Bytes.toBytes("q"),
            row,
            KeyValue.Type.Delete));
  }

  private static Unit unit() {
    return new Unit(new RowPiece(), 1, Collections.emptyIterator());
  }

  private static Window window(TableName table, int deletes) {
    Window window = new Window();
    Unit unit = unit();
    for (int i = 0; i < deletes; i++) {
      window.add(unit, delete(table, i));
    }
    window.end(unit);
    window.seal();
    return window;
  }

  private static List<Integer> sizes(List<Sent> requests) {
    return requests.stream().map(each -> each.deletes().size()).toList();
  }

  @Test
  void fewAreUnderWayAndAnswersMakeRoomForMore() {
    IndexRequests requests = requests(2, LONG_MILLIS);
    List<Window> windows = List.of(window(TABLE, 10_000), window(TABLE, 10));
    requests.advance(windows);
    requests.advance(windows);
    assertThat(sizes(sent)).containsExactly(16, 16);
    sent.get(1).acknowledge();
    requests.advance(windows);
    assertThat(sizes(sent)).containsExactly(16, 16, 64);
    for (int i = 0; i < sent.size(); i++) {
      sent.get(i).acknowledge();
      requests.advance(windows);
    }
    assertThat(windows).allMatch(Window::isAnswered);
    assertThat(sizes(sent)).startsWith(16, 16, 64, 64).contains(4_000).endsWith(10);
    assertThat(sent.stream().mapToInt(each -> each.deletes().size()).sum()).isEqualTo(10_010);
  }

  @Test
  void aTableThatAcknowledgesNothingIsGivenUpAndOthersAreNot() throws InterruptedException {
    IndexRequests requests = requests(2, 50);
    List<Window> windows = List.of(window(TABLE, 100), window(OTHER, 10));
    requests.advance(windows);
    assertThat(sent).hasSize(2);
    while (givenUp.isEmpty()) {
      Thread.sleep(5);
      requests.advance(windows);
    }
    assertThat(givenUp).containsExactly(TABLE);
    assertThat(windows.get(0).isAnswered()).as("nothing is waited for any more").isTrue();
    assertThat(requests.isGivenUp(TABLE)).isTrue();
    assertThat(requests.isGivenUp(OTHER)).isFalse();
    assertThat(sent.get(2).table()).isEqualTo(OTHER);
    sent.get(2).acknowledge();
    requests.advance(windows);
    assertThat(windows).allMatch(Window::isAnswered);
  }

  @Test
  void aTableIsWaitedForAsLongAsItAcknowledgesSome() throws InterruptedException {
    long timeoutMillis = 200;
    IndexRequests requests = requests(4, timeoutMillis);
    List<Window> windows = List.of(window(TABLE, 64));
    requests.advance(windows);
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < 3 * timeoutMillis * 1_000_000) {
      sent.get(0).progress().run();
      Thread.sleep(10);
      requests.advance(windows);
    }
    // A machine that sleeps for 200 ms instead of 10 is given up with good reason.
    assertThat(windows.get(0).isAnswered()).isEqualTo(!givenUp.isEmpty());
    assertThat(sent).hasSize(4);
  }

  @Test
  void aRequestThatRanOutOfTimeIsSentAgainWhileOthersAreAcknowledged() throws InterruptedException {
    IndexRequests requests = requests(2, 200);
    List<Window> windows = List.of(window(TABLE, 20));
    requests.advance(windows);
    assertThat(sizes(sent)).containsExactly(16, 4);
    Thread.sleep(190);
    sent.get(1).acknowledge();
    requests.advance(windows);
    sent.get(0).deletes().get(0).acknowledge();
    sent.get(0).refuse();
    requests.advance(windows);
    assertThat(givenUp).isEmpty();
    assertThat(windows.get(0).isAnswered()).isFalse();
    assertThat(sent.get(2).deletes())
        .as("fewer, and not the one that is done")
        .hasSizeLessThan(15)
        .extracting(each -> each.delete().getRow())
        .doesNotContain(sent.get(0).deletes().get(0).delete().getRow());
    for (int i = 2; i < sent.size(); i++) {
      sent.get(i).acknowledge();
      requests.advance(windows);
    }
    assertThat(windows.get(0).isAnswered()).isTrue();
    windows
        .get(0)
        .emit(new ArrayList<>(), unit -> fail("all is acknowledged, some of it at the second try"));
  }

  @Test
  void aTableThatRefusesAllIsGivenUpAndOneThatRefusesSomeIsNot() {
    IndexRequests requests = requests(1, LONG_MILLIS);
    List<Window> windows = List.of(window(TABLE, 1_000), window(OTHER, 1_000));
    requests.advance(windows);
    for (int i = 0; i < sent.size(); i++) {
      Sent request = sent.get(i);
      if (request.table().equals(OTHER)) {
        // The first one alone tells that the table is well.
        request.deletes().get(0).acknowledge();
      }
      request.refuse();
      requests.advance(windows);
    }
    assertThat(givenUp).containsExactly(TABLE);
    assertThat(windows).allMatch(Window::isAnswered);
    assertThat(sizes(sent)).as("smaller each time").startsWith(16, 8, 4, 16, 8, 4, 2, 1, 4);
    assertThat(
            sent.stream()
                .filter(each -> each.table().equals(OTHER))
                .mapToInt(each -> each.deletes().size())
                .sum())
        .isEqualTo(1_000);
  }

  @Test
  void aUnitDependsOnEachOfItsDeletes() {
    for (int missing = 0; missing < 5; missing++) {
      assertDependsOnDelete(missing);
    }
  }

  private static void assertDependsOnDelete(int missing) {
    Unit unit = unit();
    Unit neighbour = unit();
    List<Window> windows = List.of(new Window(), new Window());
    for (int i = 0; i < 5; i++) {
      windows.get(i / 3).add(unit, delete(TABLE, i));
    }
    windows.get(1).end(unit);
    windows.get(1).add(neighbour, delete(TABLE, 9));
    windows.get(1).end(neighbour);
    List<Unit> kept = new ArrayList<>();
    int number = 0;
    for (Window window : windows) {
      window.seal();
      while (window.nextTable() != null) {
        DeleteBatch batch = window.next(1);
        if (number++ != missing) {
          batch.deletes().get(0).acknowledge();
        }
        batch.settle();
      }
    }
    windows.get(0).emit(new ArrayList<>(), kept::add);
    assertThat(kept).as("it ends in the next window").isEmpty();
    windows.get(1).emit(new ArrayList<>(), kept::add);
    assertThat(kept).containsExactly(unit);
  }
}
