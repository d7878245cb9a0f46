package io.deli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.deli.service.ServerScan.Rows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ServerScanTest {
  private static final byte[] A = {'a'};
  private static final byte[] M = {'m'};
  private static final byte[] NONE = {};

  private static Result row(String key, int cells) {
    List<Cell> row = new ArrayList<>();
    for (int i = 0; i < cells; i++) {
      row.add(
          new KeyValue(Bytes.toBytes(key), new byte[] {1}, new byte[] {2}, 9 - i, new byte[] {3}));
    }
    return Result.create(row);
  }

  /** As it comes over the wire. */
  private static Message sent(Message message) throws IOException {
    return RegionService.prototype(message.getDescriptorForType())
        .newBuilderForType()
        .mergeFrom(message.toByteArray())
        .build();
  }

  @Test
  void aRequestIsReadAsItWasWritten() throws Exception {
    Scan template = new Scan().addFamily(A).readVersions(2).setLimit(7);
    ServerScan asked =
        ServerScan.of(
            sent(
                ServerScan.of(template, List.of(new Rows(NONE, A), new Rows(M, NONE)))
                    .toMessage()));
    assertThat(asked.limit()).isEqualTo(7);
    assertThat(asked.ranges()).extracting(Rows::start).containsExactly(NONE, M);
    assertThat(asked.ranges()).extracting(Rows::stop).containsExactly(A, NONE);
    Scan scan = asked.scan(A, M);
    assertThat(scan.getStartRow()).isEqualTo(A);
    assertThat(scan.getStopRow()).isEqualTo(M);
    assertThat(scan.getFamilies()).isDeepEqualTo(new byte[][] {A});
    assertThat(scan.getMaxVersions()).isEqualTo(2);
  }

  @Test
  void eachRangeHasAScanOfItsOwn() throws Exception {
    ServerScan asked = ServerScan.of(new Scan().setLimit(1), List.of());
    asked.scan(A, M).setAttribute("hook", A).setFilter(null).readVersions(9);
    assertThat(asked.scan(A, M).getAttribute("hook")).isNull();
    assertThat(asked.scan(A, M).getMaxVersions()).isEqualTo(1);
  }

  @Test
  void aScanWithoutLimitOrBackwardsIsRefused() {
    List<Rows> all = List.of(new Rows(NONE, NONE));
    for (Scan scan :
        List.of(new Scan(), new Scan().setLimit(0), new Scan().setLimit(1).setReversed(true))) {
      assertThatThrownBy(() -> ServerScan.of(scan, all))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("takes a limit and goes forwards");
    }
    assertThat(ServerScan.of(new Scan().setLimit(1), all).limit()).isEqualTo(1);
  }

  @Test
  void whatIsNoScanIsRefused() {
    Message request = ServerScan.of(new Scan().setLimit(1), List.of()).toMessage();
    Message other =
        request.toBuilder()
            .setField(
                request.getDescriptorForType().findFieldByName("scan"),
                ByteString.copyFromUtf8("scan"))
            .build();
    assertThatThrownBy(() -> ServerScan.of(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not a scan: ");
  }

  @Test
  void rangesSideBySideBecomeOneWithTheRowsOfBoth() throws Exception {
    Rows both = Rows.of(NONE, M, List.of(row("a", 2))).and(Rows.of(M, NONE, List.of(row("m", 1))));
    assertThat(both.start()).isEqualTo(NONE);
    assertThat(both.stop()).isEqualTo(NONE);
    assertThat(both.results())
        .extracting(result -> Bytes.toString(result.getRow()))
        .containsExactly("a", "m");
  }

  @Test
  void anAnswerBringsTheRowsOfEachRange() throws Exception {
    List<Result> several = List.of(row("a", 2), row("b", 1), row("c", 3));
    List<Rows> found =
        ServerScan.answer(
            sent(
                ServerScan.answer(
                    List.of(
                        Rows.of(NONE, M, several),
                        Rows.of(M, M, List.of(row("m", 1))),
                        Rows.of(M, NONE, List.of())))));
    assertThat(found).extracting(Rows::start).containsExactly(NONE, M, M);
    assertThat(found).extracting(Rows::stop).containsExactly(M, M, NONE);
    assertThat(found.get(0).results())
        .zipSatisfy(
            several,
            (read, written) ->
                assertThat(read.rawCells()).isEqualTo(written.rawCells()).isNotEmpty());
    assertThat(found.get(1).results()).extracting(Result::getRow).containsExactly(M);
    assertThat(found.get(2).results()).isEmpty();
  }
}
