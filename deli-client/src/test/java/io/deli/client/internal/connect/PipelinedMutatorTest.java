package io.deli.client.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.internal.write.InFlightLimiter;
import io.deli.client.internal.write.IndexedTableWriter;
import io.deli.client.internal.write.TableClient;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A mutator of a table without index, whose requests wait for the test. */
@Timeout(60)
class PipelinedMutatorTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] NAME = {'f'};
  private static final Put PUT = new Put(NAME).addColumn(NAME, NAME, NAME);

  private final Configuration configuration = HBaseConfiguration.create();
  private final CompletableFuture<Void> gate = new CompletableFuture<>();
  private final List<Row> sent = new ArrayList<>();
  private final BufferedMutatorParams params = new BufferedMutatorParams(TABLE).setMaxMutations(1);

  private BufferedMutator open() {
    TableClient held =
        operations -> {
          sent.addAll(operations);
          Object[] answers = Collections.nCopies(operations.size(), Result.EMPTY_RESULT).toArray();
          return gate.thenApply(open -> answers);
        };
    IndexedTableWriter writer = UnindexedTable.writer(TABLE, held);
    return new PipelinedMutator(
        configuration,
        MutatorOptions.of(params, configuration),
        timeouts -> writer,
        new InFlightLimiter(1));
  }

  @Test
  void aFlushThatIsInterrupted_leavesTheRestToTheClose() {
    params.setMaxMutations(2);
    gate.complete(null);
    assertThatThrownBy(
            () -> {
              try (BufferedMutator mutator = open()) {
                mutator.mutate(PUT);
                Thread.currentThread().interrupt();
                mutator.flush();
              }
            })
        .isInstanceOf(InterruptedIOException.class)
        .hasNoSuppressedExceptions();
    assertThat(Thread.interrupted()).isFalse();
    assertThat(sent).containsExactly(PUT);
  }
}
