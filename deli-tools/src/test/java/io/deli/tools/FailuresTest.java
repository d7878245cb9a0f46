package io.deli.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException.ThrowableWithExtraContext;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.ipc.RemoteWithExtrasException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** On exceptions as HBase's client makes them when it gives up. */
class FailuresTest {
  private static final long NOON = 1_795_435_200_000L;
  private static final String SERVER = "rs1,16020,1795435100000";
  private static final String REFUSED =
      "Call to address=rs1:16020 failed on connection exception:"
          + " org.apache.hbase.thirdparty.io.netty.channel.AbstractChannel$AnnotatedConnectException:"
          + " Connection refused: rs1/10.0.0.2:16020";
  private static final String REFUSED_PLAINLY =
      "Call to address=rs1:16020 failed on connection exception: "
          + "Connection refused: rs1/10.0.0.2:16020";
  private static final String LOOK = ": see whether that server runs and can be reached from here";

  @Test
  void namesTheServerThatIsDownBehindAllWhoQuoteTheClient() {
    RetriesExhaustedException gaveUp = gaveUp(11, new ConnectException(REFUSED), "");
    IOException reading =
        new IOException("reading by value failed: " + gaveUp.getMessage(), gaveUp);

    assertThat(line(new UncheckedIOException(reading)))
        .isEqualTo("reading by value failed: HBase's client gave up: " + REFUSED_PLAINLY + LOOK);
    assertThat(line(new ExecutionException(new CompletionException(gaveUp))))
        .isEqualTo("HBase's client gave up: " + REFUSED_PLAINLY + LOOK);
    assertThat(line(new IOException(gaveUp))).isEqualTo(line(gaveUp));
    assertThat(line(new IOException(reading))).isEqualTo(line(reading));
    assertThat(
            line(
                new IOException(
                    "the definitions of table t could not be read again (%s); without them"
                        .formatted(gaveUp),
                    gaveUp)))
        .isEqualTo("the definitions of table t could not be read again: " + line(gaveUp));
    assertThat(line(new IOException("Exception making rpc to masters [m1,16000,-1]", gaveUp)))
        .isEqualTo("Exception making rpc to masters [m1,16000,-1]: " + line(gaveUp));
  }

  @Test
  void tellsTheLastAttemptInWords() {
    assertThat(line(gaveUp(3, new CallTimeoutException("rpcTimeout=1000"), SERVER)))
        .isEqualTo(
            "HBase's client gave up: a server did not answer in time (rpcTimeout=1000)" + LOOK);
  }

  @Test
  void namesTheRegionThatIsNotOpenAndNoLineOfTheServersStack() {
    RemoteWithExtrasException sent =
        new RemoteWithExtrasException(
            NotServingRegionException.class.getName(),
            NotServingRegionException.class.getName()
                + ": t,m,1795435100000.0123456789abcdef0123456789abcdef. is not online on "
                + SERVER
                + "\n"
                + "\tat org.apache.hadoop.hbase.regionserver.HRegionServer.getRegion(HRegionServer.java:1)\n",
            false);

    assertThat(line(gaveUp(11, sent.unwrapRemoteException(), SERVER)))
        .isEqualTo(
            "HBase's client gave up: region "
                + "t,m,1795435100000.0123456789abcdef0123456789abcdef. is not online on "
                + SERVER
                + ": see HBase's master for where that region is to open, and why it does not");
  }

  @Test
  void tellsTheLastAttemptOfAListWithoutACause() {
    assertThat(
            line(
                new RetriesExhaustedException(
                    "masters", 2, List.of(new IOException("one"), new ConnectException(REFUSED)))))
        .isEqualTo("HBase's client gave up: " + REFUSED_PLAINLY);
  }

  @Test
  void tellsWhyTheClientOfAServerGaveUp() {
    RetriesExhaustedException there = gaveUp(2, new ConnectException(REFUSED), SERVER);
    RemoteWithExtrasException sent =
        new RemoteWithExtrasException(
            RetriesExhaustedException.class.getName(),
            there + "\n\tat org.apache.hadoop.hbase.client.Some.call(Some.java:1)\nCaused by: x\n",
            false);

    assertThat(line(sent.unwrapRemoteException()))
        .startsWith("HBase's client gave up: 20")
        .endsWith("Z, " + SERVER + ", " + REFUSED_PLAINLY);
  }

  @Test
  void saysSoIfNothingAnsweredInTime() {
    assertThat(line(new RetriesExhaustedException(10, List.of())))
        .isEqualTo(
            "HBase's client gave up: nothing answered within its time: "
                + "see whether HBase's master and region servers run");
  }

  @Test
  void tellsWhatDelisOwnRetriesSay() {
    String why = "table t, row 'k': the write was not applied: its region refused 20 timestamps";
    assertThat(line(new RetriesExhaustedException(why))).isEqualTo(why);
    assertThat(line(new ExecutionException(new RetriesExhaustedException(why)))).isEqualTo(why);
  }

  @Test
  void countsTheOperationsOfABatchAndTellsWhatMostFailedBy() {
    List<Throwable> causes =
        List.of(
            new IOException("other"),
            gaveUp(11, new ConnectException(REFUSED), SERVER),
            gaveUp(11, new ConnectException(REFUSED), SERVER));

    assertThat(line(batch(causes, "rs1:16020")))
        .isEqualTo(
            "3 operations failed in 2 ways, 2 so, first of row r1, on rs1:16020: HBase's client"
                + " gave up: "
                + REFUSED_PLAINLY
                + LOOK);
    assertThat(line(batch(List.of(new TableNotFoundException("t")), "see cause")))
        .isEqualTo(
            "1 operation failed, first of row r0: table 't' does not exist: 'deli create-table'"
                + " creates it");
  }

  @Test
  void whatIsRefusedAtOnceIsNotCalledGivenUp() {
    assertThat(line(gaveUp(1, new TableNotFoundException("t"), "")))
        .isEqualTo("table 't' does not exist: 'deli create-table' creates it");
  }

  @Test
  void keepsTheExitCodeOfAFailureThatQuotesTheClient() {
    RetriesExhaustedException gaveUp = gaveUp(11, new ConnectException(REFUSED), "");

    Failure failure =
        Failures.explain(
            new Failure(
                ExitCode.UNAVAILABLE, "cannot connect to HBase: " + gaveUp.getMessage(), gaveUp));

    assertThat(failure.exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(failure).hasMessage("cannot connect to HBase: " + line(gaveUp));
  }

  @Test
  void namesNoClass() {
    assertThat(line(new java.nio.file.NoSuchFileException("rows.csv")))
        .isEqualTo("rows.csv: no such file");
    assertThat(line(new IllegalStateException())).isEqualTo("illegal state");
    assertThat(line(new IOException("java.net.ConnectException: Connection refused")))
        .isEqualTo("Connection refused");
  }

  private static RetriesExhaustedException gaveUp(int tries, Throwable error, String extras) {
    return new RetriesExhaustedException(
        tries - 1, Collections.nCopies(tries, new ThrowableWithExtraContext(error, NOON, extras)));
  }

  private static RetriesExhaustedWithDetailsException batch(List<Throwable> causes, String server) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < causes.size(); i++) {
      rows.add(new Put(Bytes.toBytes("r" + i)));
    }
    return new RetriesExhaustedWithDetailsException(
        causes, rows, Collections.nCopies(causes.size(), server));
  }

  private static String line(Throwable thrown) {
    String message = Failures.explain(thrown).getMessage();
    assertThat(message.lines()).hasSize(1);
    return message;
  }
}
