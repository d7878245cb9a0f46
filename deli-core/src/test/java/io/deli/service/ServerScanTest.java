package io.deli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
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
    ServerScan other = ServerScan.of(new Scan().setLimit(1), List.of());
    List<ServerScan> read =
        ServerScan.of(
            sent(
                ServerScan.request(
                    List.of(
                        ServerScan.of(template, List.of(new Rows(NONE, A), new Rows(M, NONE))),
                        other))));
    assertThat(read).hasSize(2).element(1).isEqualTo(other);
    ServerScan asked = read.get(0);
    assertThat(asked.limit()).isEqualTo(7);
    assertThat(asked.ranges()).extracting(Rows::start).containsExactly(NONE, M);
    assertThat(asked.ranges()).extracting(Rows::stop).containsExactly(A, NONE);
    Scan scan = asked.scan();
    assertThat(scan.getFamilies()).isDeepEqualTo(new byte[][] {A});
    assertThat(scan.getMaxVersions()).isEqualTo(2);
  }

  @Test
  void eachScanIsANewOne() throws Exception {
    ServerScan asked = ServerScan.of(new Scan().setLimit(1), List.of());
    asked.scan().setAttribute("hook", A).setFilter(null).readVersions(9);
    assertThat(asked.scan().getAttribute("hook")).isNull();
    assertThat(asked.scan().getMaxVersions()).isEqualTo(1);
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
  void rangesThatAreNotInOrderAreRefused() {
    for (List<Rows> ranges :
        List.of(
            List.of(new Rows(NONE, NONE), new Rows(NONE, NONE)),
            List.of(new Rows(NONE, NONE), new Rows(M, NONE)),
            List.of(new Rows(M, NONE), new Rows(NONE, A)),
            List.of(new Rows(NONE, M), new Rows(A, NONE)),
            List.of(new Rows(M, A)),
            List.of(new Rows(M, M)))) {
      assertThatThrownBy(() -> ServerScan.of(new Scan().setLimit(1), ranges))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("in order");
    }
    List<Rows> adjacent = List.of(new Rows(NONE, A), new Rows(A, M), new Rows(M, NONE));
    assertThat(ServerScan.of(new Scan().setLimit(1), adjacent).ranges()).hasSize(3);
  }

  @Test
  void whatIsNoScanIsRefused() {
    Message request = ServerScan.request(List.of(ServerScan.of(new Scan().setLimit(1), List.of())));
    FieldDescriptor scans = request.getDescriptorForType().findFieldByName("scan");
    Message scan = (Message) request.getRepeatedField(scans, 0);
    Message other =
        request.toBuilder()
            .setRepeatedField(
                scans,
                0,
                scan.toBuilder()
                    .setField(
                        scan.getDescriptorForType().findFieldByName("scan"),
                        ByteString.copyFromUtf8("scan"))
                    .build())
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
    ServerScan.Answer answer =
        ServerScan.Answer.of(
            sent(
                new ServerScan.Answer(
                        List.of(
                            List.of(),
                            List.of(
                                Rows.of(NONE, M, several),
                                Rows.of(M, M, List.of(row("m", 1))),
                                Rows.of(M, NONE, List.of()))),
                        17)
                    .toMessage()));
    assertThat(answer.nanos()).isEqualTo(17);
    assertThat(answer.found()).hasSize(2).element(0).asInstanceOf(LIST).isEmpty();
    List<Rows> found = answer.found().get(1);
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
