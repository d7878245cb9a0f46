package io.deli.client.internal.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
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

  /**
   * Returns the failure of HBase's client with these beside it. If it names operations, all others
   * of its list pass for done, so that it must name these, too.
   */
  IOException beside(IOException failure) {
    if (isEmpty()) {
      return failure;
    }
    if (!(failure instanceof RetriesExhaustedWithDetailsException named)) {
      failure.addSuppressed(toException());
      return failure;
    }
    List<Row> all = new ArrayList<>();
    List<Throwable> why = new ArrayList<>();
    for (int i = 0; i < named.getNumExceptions(); i++) {
      all.add(named.getRow(i));
      why.add(named.getCause(i));
    }
    // By identity, for conditional writes of one row are equal.
    Set<Row> known = Collections.newSetFromMap(new IdentityHashMap<>());
    known.addAll(all);
    for (int i = 0; i < operations.size(); i++) {
      if (known.add(operations.get(i))) {
        all.add(operations.get(i));
        why.add(causes.get(i));
      }
    }
    IOException whole = new BatchFailures(all, why).toException();
    whole.addSuppressed(failure);
    return whole;
  }

  public void throwIfAny() throws RetriesExhaustedWithDetailsException {
    if (!isEmpty()) {
      throw toException();
    }
  }
}
