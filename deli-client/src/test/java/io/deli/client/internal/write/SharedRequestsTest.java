package io.deli.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class SharedRequestsTest {
  private final List<Row> combined = new ArrayList<>();
  private final List<Row> alone = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private Object answer = Result.EMPTY_RESULT;
  private long takes;
  private final SharedRequests requests =
      new SharedRequests(
          operations -> {
            combined.addAll(operations);
            nanos.addAndGet(takes);
            return CompletableFuture.completedFuture(new Object[] {answer});
          },
          2,
          1_000,
          nanos::get);

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row));
  }

  /** Writes while the next ones are written. */
  private void write(Row operation, BlockingWriter.Past<Void, IOException> meanwhile)
      throws IOException {
    requests.write(
        operation,
        () -> {
          alone.add(operation);
          return meanwhile.run();
        });
  }

  @Test
  void thoseBeyondAFewCallersShare() throws IOException {
    Put first = put("1");
    Put second = put("2");
    Put third = put("3");
    Put later = put("4");
    write(
        first,
        () -> {
          write(
              second,
              () -> {
                write(third, () -> null);
                return null;
              });
          return null;
        });
    write(later, () -> null);
    assertThat(combined).containsExactly(third);
    assertThat(alone).containsExactly(first, second, later);
  }

  private void writeInCompany(Put third) throws IOException {
    write(
        put("1"),
        () -> {
          write(
              put("2"),
              () -> {
                write(third, () -> null);
                return null;
              });
          return null;
        });
  }

  @Test
  void whatFailsInCompanyIsSentAlone() throws IOException {
    answer = new IOException("of another");
    takes = 1_000;
    Put third = put("3");
    writeInCompany(third);
    assertThat(combined).containsExactly(third);
    assertThat(alone).hasSize(3).contains(third);
  }

  /** It would have the time of an operation once more. */
  @Test
  void whatFailsTooLateInCompanyIsNotSentAlone() {
    answer = new IOException("timed out");
    takes = 1_001;
    Put third = put("3");
    assertThatThrownBy(() -> writeInCompany(third)).isSameAs(answer);
    assertThat(combined).containsExactly(third);
    assertThat(alone).hasSize(2).doesNotContain(third);
  }

  @Test
  void whoFailsIsACallerNoMore() throws IOException {
    for (int i = 0; i < 3; i++) {
      try {
        write(
            put("fails"),
            () -> {
              throw new IOException("as is to be");
            });
      } catch (IOException expected) {
        assertThat(expected).hasMessage("as is to be");
      }
    }
    assertThat(combined).isEmpty();
  }

  @Test
  void takesWhatAnswersNothingAndHasNoPriority() {
    assertThat(SharedRequests.take(put("row"))).isTrue();
    assertThat(SharedRequests.take(new Delete(Bytes.toBytes("row")))).isFalse();
    assertThat(SharedRequests.take(new Append(Bytes.toBytes("row")))).isFalse();
    assertThat(SharedRequests.take(put("row").setPriority(7))).isFalse();
  }
}
