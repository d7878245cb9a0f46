package io.deli.test.gc;

import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.CollectReport;
import io.deli.client.DeliConnection;
import io.deli.client.ProgressListener;
import io.deli.test.cluster.HookObserver;
import io.deli.test.cluster.HookObserver.Moment;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** HBase passes over the request to flush a region that is being flushed. */
class FlushUnderWayTest {
  private static boolean isAwaited() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Stream::of)
        .anyMatch(frame -> frame.getMethodName().equals("waitForFlushes"));
  }

  private static CollectReport collect(DeliConnection connection, TestTable written)
      throws IOException {
    return connection.getDeliAdmin().collect(written.name(), ProgressListener.NONE);
  }

  private final TestTable written;
  private final CountDownLatch flushing = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  FlushUnderWayTest() throws Exception {
    written = TestTable.create("flushing", 1);
  }

  /** Leaves a version to collect in memory. */
  private void write(DeliConnection connection) throws IOException {
    try (Table table = connection.getTable(written.name())) {
      table.put(put("row", "a"));
      table.put(put("row", "b"));
    }
  }

  private void hold(HRegion region, Object store) throws InterruptedException {
    flushing.countDown();
    goOn.await();
  }

  @AfterEach
  void end() {
    goOn.countDown();
    threads.shutdown();
  }

  @Test
  void whatIsBeingFlushedIsCollected() throws Exception {
    HookObserver.on(written.name()).once(Moment.FLUSH, this::hold);
    try (DeliConnection connection = MiniCluster.connect()) {
      write(connection);
      Future<?> flush = threads.submit(() -> written.regions().get(0).flush(true));
      flushing.await();
      Future<CollectReport> collected = threads.submit(() -> collect(connection, written));
      MiniCluster.utility().waitFor(60_000, () -> collected.isDone() || isAwaited());
      goOn.countDown();
      flush.get();
      assertThat(collected.get().isComplete()).isTrue();
    }
    assertThat(written.entries()).hasSize(1).containsExactlyElementsOf(written.justified());
  }

  /** HBase takes the request of one to flush, and passes over the other's. */
  @Test
  void collectionsThatFlushAtATimeWaitForOneAnother() throws Exception {
    CountDownLatch asked = new CountDownLatch(2);
    HookObserver.on(written.name(), Coprocessor.PRIORITY_LOWEST)
        .each(
            Moment.FLUSH_ASKED,
            (region, tracker) -> {
              asked.countDown();
              asked.await();
            })
        .each(Moment.FLUSH, this::hold);
    try (DeliConnection connection = MiniCluster.connect()) {
      write(connection);
      Future<CollectReport> one = threads.submit(() -> collect(connection, written));
      Future<CollectReport> other = threads.submit(() -> collect(connection, written));
      flushing.await();
      MiniCluster.utility().waitFor(60_000, () -> one.isDone() || other.isDone() || isAwaited());
      assertThat(List.of(one, other)).noneMatch(Future::isDone);
      goOn.countDown();
      assertThat(one.get().isComplete() && other.get().isComplete()).isTrue();
    }
    assertThat(written.entries()).hasSize(1).containsExactlyElementsOf(written.justified());
  }
}
