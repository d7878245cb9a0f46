package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.IndexUnavailableException;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.internal.KnownIndexes;
import io.deli.index.IndexState;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DisabledIndexTest extends MemoryQueries {
  @Test
  void aQueryWhoseIndexIsDisabledAmidIt_saysSo() throws Exception {
    begin(0);
    for (int i = 0; i < 10; i++) {
      write("r" + i, "p", "a", BEGUN - 5);
    }
    KnownIndexes active = table;
    KnownIndexes disabled = Plans.table(Plans.index("key", "f:p").withState(IndexState.DISABLED));
    CurrentDefinitions definitions =
        new CurrentDefinitions(
            table.base(),
            () -> known(tables.scans() < 3 ? active : disabled),
            () -> known(disabled));
    ValueQuery query = ValueQuery.on("key").equalTo(Plans.A).allowScan();
    try (QueryEngine engine = engine(2, 1 << 20);
        ValueScanner scanner = engine.begin(definitions, query).join()) {
      assertThatThrownBy(() -> scanner.forEach(hit -> {}))
          .hasRootCauseInstanceOf(IndexUnavailableException.class)
          .hasRootCauseMessage(
              "index 'key' of table t became DISABLED while this query read it. Start the query again.");
    }
  }

  private static CompletableFuture<KnownIndexes> known(KnownIndexes indexes) {
    return CompletableFuture.completedFuture(indexes);
  }
}
