package io.deli.test.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.IndexUnavailableException;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;

/** Clients that ask the same again and again, each by a connection of its own. */
final class QueryLoop extends EndlessClients {
  private final Queue<Long> answers = new ConcurrentLinkedQueue<>();
  private final Queue<String> refusals = new ConcurrentLinkedQueue<>();

  private QueryLoop(int number) {
    super(number);
  }

  static QueryLoop start(BuiltTable table, ValueQuery query, int number) {
    return start(table, query, number, BuiltTable.configuration());
  }

  static QueryLoop start(
      BuiltTable table, ValueQuery query, int number, Configuration configuration) {
    QueryLoop loop = new QueryLoop(number);
    for (int i = 0; i < number; i++) {
      loop.start(() -> loop.ask(table, query, configuration));
    }
    return loop;
  }

  private void ask(BuiltTable table, ValueQuery query, Configuration configuration) {
    try (DeliConnection own = MiniCluster.connect(configuration);
        DeliTable rows = own.getTable(table.name())) {
      while (!isEnded()) {
        try (ValueScanner hits = rows.readValue(query)) {
          long count = 0;
          while (hits.next().isPresent()) {
            count++;
          }
          answers.add(count);
        } catch (IOException e) {
          refusals.add(refusal(e));
        }
      }
    } catch (IOException e) {
      throw new AssertionError("a reader failed", e);
    }
  }

  private static String refusal(IOException error) {
    Throwable cause = error instanceof IndexUnavailableException ? error : error.getCause();
    if (!(cause instanceof IndexUnavailableException)) {
      throw new AssertionError("a query failed", error);
    }
    return cause.getMessage();
  }

  /** How many rows each query found that was answered. */
  List<Long> answers() {
    return List.copyOf(answers);
  }

  /** What queries were told for which there was no index. */
  List<String> refusals() {
    return List.copyOf(refusals);
  }

  void awaitMore(int number) throws Exception {
    int before = answers.size();
    Eventually.holds(() -> assertThat(answers).hasSizeGreaterThan(before + number));
  }
}
