package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.internal.KnownIndexes;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queries that are closed or cancelled while a request is under way. */
class ClosedQueriesTest extends MemoryQueries {
  private static final int MANY = 5_000;
  private static final ValueQuery NEWEST = ValueQuery.on("key").equalTo(Plans.A).mostRecent(1);

  private final CompletableFuture<Void> held = new CompletableFuture<>();

  @BeforeEach
  void holdTheSecondRequest() {
    begin(0);
    for (int i = 0; i < MANY; i++) {
      write("r%04d".formatted(i), "p", "a", BEGUN - MANY + i);
    }
    tables.aheadOfRequests(() -> tables.hold(held));
  }

  private void assertNothingElseIsRead() {
    assertThat(tables.scans()).isEqualTo(1);
    held.complete(null);
    assertThat(tables.scans()).isEqualTo(2);
    assertThat(tables.gets()).isZero();
  }

  @Test
  void aScannerThatIsClosed_sendsNoFurtherRequests() {
    try (QueryEngine engine = engine(10, 1 << 20)) {
      ValueScanner scanner = engine.begin(Plans.fixed(table), NEWEST).join();
      scanner.close();
      assertNothingElseIsRead();
    }
  }

  @Test
  void aPageThatIsCancelled_sendsNoFurtherRequests() {
    try (QueryEngine engine = engine(10, 1 << 20)) {
      assertThat(engine.page(Plans.fixed(table), NEWEST).cancel(false)).isTrue();
      assertNothingElseIsRead();
    }
  }

  @Test
  void aScanOfTheBaseTable_endsWithTheResponseOnItsWay() {
    KnownIndexes scanned = Plans.table(Plans.index("none", "f:p").withStrategy("none"));
    tables.split(table.base(), Bytes.toBytes("r0010"));
    try (QueryEngine engine = engine(256, 1 << 20)) {
      // The first response, of ten rows, comes when the scanner is closed.
      tables.hold(held);
      ValueScanner scanner =
          engine.begin(Plans.fixed(scanned), ValueQuery.on("none").equalTo(Plans.A)).join();
      scanner.close();
      held.complete(null);
      assertThat(tables.scans()).isEqualTo(1);
    }
  }
}
