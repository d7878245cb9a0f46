package io.deli.tools.command;

import io.deli.client.DeliAdmin;
import io.deli.client.IndexStatistics;
import io.deli.client.ProgressListener;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.tools.Failures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;

/**
 * The counts of all indexes of a table. One that cannot be counted hides no other: one that came
 * with a snapshot has no table until it is built, and its name may be that of another's; the table
 * of one may be disabled, or its tokenizer be missing here.
 *
 * @param byIndex empty where an index cannot be counted
 * @param failures why, one for each of these
 */
record IndexCounts(Map<String, Optional<IndexStatistics>> byIndex, List<String> failures) {
  static IndexCounts of(DeliAdmin admin, TableName table, int sample, ProgressListener progress)
      throws IOException {
    Map<String, Optional<IndexStatistics>> byIndex = new LinkedHashMap<>();
    List<String> failures = new ArrayList<>();
    for (IndexDefinition index : admin.list(table)) {
      Optional<IndexStatistics> counts = Optional.empty();
      try {
        counts = Optional.of(admin.statistics(table, index.name(), sample, progress));
      } catch (DoNotRetryIOException | InvalidIndexException e) {
        failures.add(
            "index %s is not counted: %s"
                .formatted(index.name(), Failures.explain(e).getMessage()));
      }
      byIndex.put(index.name(), counts);
    }
    return new IndexCounts(byIndex, failures);
  }
}
