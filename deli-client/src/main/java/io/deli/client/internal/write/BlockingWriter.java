package io.deli.client.internal.write;

import io.deli.client.internal.Failures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Row;

/** A {@link Writer} for callers that wait. Thread-safe. */
public final class BlockingWriter {
  private final Writer writer;
  private final Room room;

  public BlockingWriter(Writer writer, Room room) {
    this.writer = writer;
    this.room = room;
  }

  /** Whether the table has an index to maintain. */
  public boolean isIndexed() throws IOException {
    return Failures.await(writer.isIndexed());
  }

  /** Throws what a write of the operation would be refused with. */
  public void check(Row operation) throws IOException {
    Failures.await(writer.plan(List.of(operation)));
  }

  /** Carries out one operation. */
  public Object write(Row operation) throws IOException {
    room.enter(1);
    CompletableFuture<Object> answer = writer.write(operation);
    room.leaveWith(List.of(answer));
    return Failures.await(answer);
  }

  /**
   * Carries out many and waits for all.
   *
   * @param results takes each answer, or the failure
   * @return the failures; empty if all succeeded
   * @throws IOException if one operation would leave an index wrong; nothing was written then
   */
  public BatchFailures write(List<? extends Row> operations, Object[] results) throws IOException {
    List<CompletableFuture<Object>> answers = new ArrayList<>(operations.size());
    int share = room.share();
    Pipeline pipeline = new Pipeline(writer, room);
    Batch whole = Failures.await(writer.plan(operations));
    if (whole.size() <= share) {
      answers.addAll(pipeline.submit(whole));
    } else {
      for (int from = 0; from < operations.size(); from += share) {
        List<? extends Row> part =
            operations.subList(from, Math.min(operations.size(), from + share));
        answers.addAll(pipeline.submit(Failures.await(writer.plan(part))));
      }
    }
    Failures.await(Answers.all(answers));
    return BatchFailures.of(operations, answers, results);
  }
}
