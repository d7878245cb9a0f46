package io.deli.client;

import io.deli.client.internal.verify.Verification;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Runs the steps of a verification elsewhere than in threads of this process: it cuts both tables
 * into parts, and has {@link Step#run} called for each. A part may be run again if it failed.
 */
@FunctionalInterface
public interface VerifyEngine {
  /**
   * Runs a step: all parts of the base table's ranges, and of the whole index table.
   *
   * @return the outcomes of all parts in one: counts and sums are added up
   * @throws IOException if a part failed for good
   */
  Outcome run(Connection connection, Step step, ProgressListener progress) throws IOException;

  /**
   * The step to run. Immutable.
   *
   * @param options of which the range, the samples, the threads of a part and whether to repair
   *     count
   * @param ranges base rows to compare, in order
   * @param until last timestamp of what is summed up for each range; empty to compare instead
   */
  record Step(
      Index index, VerifyOptions options, List<ValueQuery.Rows> ranges, OptionalLong until) {
    public Step {
      ranges = List.copyOf(ranges);
    }

    /**
     * Runs a part in this process, while others write.
     *
     * @param pass {@code BASE} to look for the entries of base rows, {@code INDEX} for the versions
     *     of rows of the index
     * @param rows those of the table that is scanned
     */
    public Outcome run(
        Connection connection,
        VerifyPosition.Pass pass,
        ValueQuery.Rows rows,
        ProgressListener progress)
        throws IOException {
      return new Verification(connection, index, options, progress).run(this, pass, rows);
    }
  }

  /**
   * The outcome of a part, or of all.
   *
   * @param report with the findings
   * @param sums one for each range; empty if the step compares
   */
  record Outcome(VerifyReport report, List<Long> sums) {
    public Outcome {
      sums = List.copyOf(sums);
    }
  }
}
