package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.deli.client.IndexUnavailableException;
import io.deli.client.ValueQuery;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException.ThrowableWithExtraContext;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;

/** Scans of an index table whose later requests are refused, which HBase calls given up. */
class FailedScansTest {
  private record Refusing(DoNotRetryIOException refusal) implements TableReader {
    private RetriesExhaustedException givenUp() {
      return new RetriesExhaustedException(
          1, List.of(new ThrowableWithExtraContext(refusal, 0, "")));
    }

    @Override
    public void scan(TableName table, Scan scan, ScanCollector collector) {
      collector.onError(givenUp());
    }

    @Override
    public CompletableFuture<List<Result>> get(TableName table, List<Get> gets) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void aRefusal_isTheFailure_withARemedyIfTheTableIsMissing() throws Exception {
    DoNotRetryIOException denied = new AccessDeniedException("denied");
    for (String index : List.of("key", "lists")) {
      assertThat(failure(index, denied)).as(index).isSameAs(denied);
      assertThat(failure(index, new TableNotFoundException("t")))
          .as(index)
          .isInstanceOf(IndexUnavailableException.class)
          .hasMessageContaining("deli build");
    }
  }

  private static Throwable failure(String index, DoNotRetryIOException refusal) throws Exception {
    QueryPlan plan = Plans.plan(ValueQuery.on(index).equalTo(Plans.A));
    EntryReader reader = new EntryReader(new Refusing(refusal), plan);
    return catchThrowable(() -> reader.read(plan.start(), 1).join()).getCause();
  }
}
