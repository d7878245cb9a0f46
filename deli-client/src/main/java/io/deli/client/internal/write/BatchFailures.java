package io.deli.client.internal.write;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;

/** The operations of a batch that failed, and why; both lists in the same order. */
public record BatchFailures(List<Row> operations, List<Throwable> causes) {
  /** HBase names the server here; which one failed last stands in the cause. */
  private static final String SERVER = "see cause";

  public static final BatchFailures NONE = new BatchFailures(List.of(), List.of());

  public static BatchFailures of(List<? extends Row> operations, Object[] answers) {
    List<Row> failed = new ArrayList<>();
    List<Throwable> causes = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      if (answers[i] instanceof Throwable error) {
        failed.add(operations.get(i));
        causes.add(cause(error));
      }
    }
    return new BatchFailures(failed, causes);
  }

  private static Throwable cause(Throwable error) {
    return error instanceof RetriesExhaustedException && error.getCause() != null
        ? error.getCause()
        : error;
  }

  public boolean isEmpty() {
    return operations.isEmpty();
  }

  /** Returns the exception that HBase's blocking client would throw. */
  public RetriesExhaustedWithDetailsException toException() {
    return new RetriesExhaustedWithDetailsException(
        causes, operations, Collections.nCopies(causes.size(), SERVER));
  }

  public void throwIfAny() throws RetriesExhaustedWithDetailsException {
    if (!isEmpty()) {
      throw toException();
    }
  }
}
