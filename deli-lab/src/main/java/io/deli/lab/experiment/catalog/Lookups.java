package io.deli.lab.experiment.catalog;

import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.lab.measure.Workers;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Reads by value, one after the other.
 *
 * @param queries draws the next one
 */
record Lookups(DeliTable table, Function<SplittableRandom, ValueQuery> queries)
    implements Workers.Worker {
  @Override
  public int run(SplittableRandom random) throws IOException {
    count(table, queries.apply(random));
    return 1;
  }

  /** Reads all hits and returns how many they are. */
  static int count(DeliTable table, ValueQuery query) throws IOException {
    int hits = 0;
    try (ValueScanner scanner = table.readValue(query)) {
      while (scanner.next().isPresent()) {
        hits++;
      }
    }
    return hits;
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
