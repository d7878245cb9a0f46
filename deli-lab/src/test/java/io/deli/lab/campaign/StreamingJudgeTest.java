package io.deli.lab.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.lab.campaign.HistoryFile.HistoryTail;
import io.deli.lab.fault.Fault;
import io.deli.lab.fault.Tormentor;
import io.deli.lab.judge.CallLog;
import io.deli.lab.judge.HistoryRecord;
import io.deli.lab.judge.RowOperation;
import io.deli.lab.judge.Ruling;
import io.deli.lab.judge.Span;
import io.deli.lab.judge.Step;
import io.deli.lab.torture.ContendedRows;
import io.deli.lab.torture.SharedState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamingJudgeTest {
  private static final String ROW = "c00000-ANYTHING-0";
  private static final String A = ContendedRows.A.toString();
  private static final String N = ContendedRows.N.toString();

  @TempDir private Path directory;
  private StreamingJudge judge;

  @BeforeEach
  void start() throws IOException {
    judge = new StreamingJudge(3, SharedState.open(directory.resolve("shared"), 1));
  }

  private static RowOperation put(String value) {
    return RowOperation.write(ROW, Span.UNKNOWN, new Step.Write(Map.of(A, value)));
  }

  private static void acknowledged(HistoryFile history, String value) {
    CallLog.Call call = history.begin(List.of(put(value)));
    call.returned(List.of(put(value).during(call.untilNow())));
  }

  private static void read(HistoryFile history, String value) {
    read(history, A, value);
  }

  private static void read(HistoryFile history, String column, String value) {
    CallLog.Call call = history.begin(List.of());
    call.returned(
        List.of(RowOperation.get(ROW, call.untilNow(), Map.of(column, Optional.of(value)))));
  }

  /**
   * An acknowledged Increment.
   *
   * @param isLong whether it took so long that its request may have been sent twice
   */
  private static void increment(HistoryFile history, boolean isLong) {
    RowOperation write = RowOperation.write(ROW, Span.UNKNOWN, new Step.Addition(N, 1));
    CallLog.Call call = history.begin(List.of(write));
    RowOperation told = write.during(call.untilNow()).telling(Map.of(N, Optional.of("1")));
    call.returned(isLong ? told.sentTwice() : List.of(told));
  }

  @Test
  void acknowledgedWriteThatIsReadBackIsClean() throws Exception {
    assertThat(
            run(history -> {
                  acknowledged(history, "one");
                  read(history, "one");
                })
                .violations())
        .isEmpty();
    assertThat(judge.outcomes().checked()).isEqualTo(2);
  }

  @Test
  void acknowledgedWriteThatWasNeverMadeIsCaught() throws Exception {
    Ruling ruling =
        run(
            history -> {
              acknowledged(history, "one");
              acknowledged(history, "never made");
              read(history, "one");
            });
    assertThat(ruling.violations()).singleElement().asString().contains(ROW);
  }

  @Test
  void callThatAKilledClientLeftOpenMayTakeEffectOrNot() throws Exception {
    StreamingJudge.Source killed = judge.follow(directory, "killed");
    HistoryFile its = new HistoryFile(directory, "killed");
    acknowledged(its, "one");
    its.begin(List.of(put("open")));
    its.close();
    tear(HistoryFile.file(directory, "killed", 0));
    killed.end();
    Ruling ruling =
        run(
            history -> {
              read(history, "one");
              read(history, "open");
            });
    assertThat(ruling.violations()).isEmpty();
    assertThat(judge.outcomes().failed()).isEqualTo(1);
  }

  /** Acts while a fault befalls the cluster, by which servers may end or not. */
  private void amidFault(boolean endsServers, Runnable meanwhile) throws InterruptedException {
    Fault fault =
        new Fault(
            "fault",
            endsServers,
            random -> {
              meanwhile.run();
              return Optional.empty();
            });
    assertThat(new Tormentor(List.of(fault), new Random(1), judge.outages()).next())
        .contains("fault");
  }

  @Test
  void incrementThatWasSentTwiceAmidAnOutage_countsOnceOrTwice() throws Exception {
    Ruling ruling =
        run(
            history -> {
              amidFault(true, () -> increment(history, true));
              read(history, N, "2");
              amidFault(
                  true,
                  () -> {
                    increment(history, true);
                    read(history, N, "3");
                  });
              read(history, N, "3");
            });
    assertThat(ruling.violations()).isEmpty();
    assertThat(judge.outcomes().checked()).isEqualTo(5);
  }

  @Test
  void incrementThatWasSentTwiceAmidNoOutage_countsOnce() throws Exception {
    Ruling ruling =
        run(
            history -> {
              amidFault(true, () -> acknowledged(history, "one"));
              amidFault(false, () -> increment(history, true));
              read(history, N, "2");
            });
    assertThat(ruling.violations()).singleElement().asString().contains("n='2'");
  }

  @Test
  void incrementThatWasAnsweredAtOnceAmidAnOutage_countsOnce() throws Exception {
    Ruling ruling =
        run(
            history -> {
              amidFault(true, () -> increment(history, false));
              read(history, N, "2");
            });
    assertThat(ruling.violations()).singleElement().asString().contains("n='2'");
  }

  /** The client was killed in the middle of a record. */
  private static void tear(Path file) throws IOException {
    Files.writeString(file, "[\"Told\",{\"call\":2,", StandardOpenOption.APPEND);
  }

  @Test
  void recordWhoseEndIsMissing_isLeftUntilItIsThere() throws IOException {
    Path file = HistoryFile.file(directory, "slow", 0);
    HistoryRecord beat = new HistoryRecord.Beat(7);
    List<HistoryRecord> taken = new ArrayList<>();
    try (HistoryTail tail = new HistoryTail(directory, "slow")) {
      for (byte each : Bytes.toBytes(beat.toJson() + "\n")) {
        assertThat(taken).isEmpty();
        Files.write(file, new byte[] {each}, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        boolean more = true;
        while (more) {
          more = tail.poll(taken::add);
        }
      }
    }
    assertThat(taken).containsExactly(beat);
  }

  @Test
  void historyOfSeveralFilesIsReadWholeAndDeletedButForTheLast() throws Exception {
    int writes = 100_000;
    Ruling ruling =
        run(
            history -> {
              for (int i = 0; i < writes; i++) {
                acknowledged(history, "value " + i);
              }
              read(history, "value " + (writes - 1));
            });
    assertThat(ruling.violations()).isEmpty();
    assertThat(judge.outcomes().writes()).isEqualTo(writes);
    assertThat(HistoryFile.file(directory, "client", 0)).doesNotExist();
    assertThat(HistoryFile.file(directory, "client", 2)).exists();
  }

  private interface Work {
    void on(HistoryFile history) throws InterruptedException;
  }

  private Ruling run(Work work) throws IOException, InterruptedException {
    StreamingJudge.Source source = judge.follow(directory, "client");
    try (HistoryFile history = new HistoryFile(directory, "client")) {
      work.on(history);
    }
    source.end();
    return judge.end();
  }
}
