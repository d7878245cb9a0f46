package io.deli.coprocessor.internal.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.service.ColocatedWrite;
import io.deli.service.RegionService;
import io.deli.service.RegionService.Suspect;
import io.deli.service.ServerScan;
import io.deli.service.ServerScan.Rows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.ipc.ServerRpcController;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RegionEndpointTest implements RegionEndpoint.Operations {
  private static final Message REPAIR =
      new Suspect("by_user", new Entry(new byte[] {1}, new byte[] {2}, 3, WriteId.NONE))
          .toMessage();

  private final List<Suspect> repaired = new ArrayList<>();
  private final ServerRpcController controller = new ServerRpcController();

  @Override
  public Message describe() {
    return RegionService.NOTHING;
  }

  @Override
  public void repair(Suspect suspect) {
    repaired.add(suspect);
  }

  @Override
  public Message kept() {
    return RegionService.versions(0);
  }

  @Override
  public Message present() {
    return RegionService.versions(1);
  }

  @Override
  public List<Integer> sweep(RegionService.Entries entries) {
    return List.of(entries.entries().size() - 1);
  }

  @Override
  public List<Integer> stale(RegionService.Entries entries) {
    return List.of();
  }

  @Override
  public BitSet write(ColocatedWrite asked) {
    return new BitSet();
  }

  @Override
  public ServerScan.Answer scan(List<ServerScan> asked) throws IOException {
    Rows range = asked.get(0).ranges().get(0);
    Scan scan = asked.get(0).scan().withStartRow(range.start()).withStopRow(range.stop());
    Rows found = Rows.of(scan.getStartRow(), scan.getStopRow(), List.of(row("a", 2), row("b", 1)));
    return new ServerScan.Answer(List.of(List.of(found)), 1);
  }

  private static Result row(String key, int cells) {
    List<Cell> row = new ArrayList<>();
    for (int i = 0; i < cells; i++) {
      row.add(
          new KeyValue(Bytes.toBytes(key), new byte[] {1}, new byte[] {2}, 9 - i, new byte[] {3}));
    }
    return Result.create(row);
  }

  @Test
  void aScanBringsTheRowsOfRanges() {
    Rows range = new Rows(Bytes.toBytes("a"), new byte[0]);
    List<Message> answers = new ArrayList<>();
    new RegionEndpoint(() -> this)
        .callMethod(
            RegionService.SCAN,
            controller,
            ServerScan.request(List.of(ServerScan.of(new Scan().setLimit(7), List.of(range)))),
            answers::add);
    assertThat(controller.failed()).isFalse();
    Rows found = ServerScan.Answer.of(answers.get(0)).found().get(0).get(0);
    assertThat(found.start()).isEqualTo(range.start());
    assertThat(found.stop()).isEmpty();
    assertThat(found.results())
        .map(Result::getRow)
        .containsExactly(Bytes.toBytes("a"), Bytes.toBytes("b"));
    assertThat(found.results()).map(Result::size).containsExactly(2, 1);
  }

  private void ask(Message request) {
    new RegionEndpoint(() -> this)
        .callMethod(RegionService.REPAIR, controller, request, answer -> {});
  }

  @Test
  void whatItKnowsIsDone() {
    ask(REPAIR);
    assertThat(controller.failed()).isFalse();
    assertThat(repaired).hasSize(1);
  }

  @Test
  void aSweepTellsWhatIsOfOtherRegions() {
    Entry entry = new Entry(new byte[] {1}, new byte[] {2}, 3, WriteId.of(4, 5));
    List<Message> answers = new ArrayList<>();
    new RegionEndpoint(() -> this)
        .callMethod(
            RegionService.SWEEP,
            controller,
            new RegionService.Entries("by_user", 1, List.of(entry, entry)).toMessage(),
            answers::add);
    assertThat(controller.failed()).isFalse();
    assertThat(RegionService.positions(answers.get(0))).containsExactly(1);
  }

  /** What a newer client means by it, nobody here knows. */
  @Test
  void aRequestInAnotherVersionIsRefusedAndNotDone() {
    ask(
        REPAIR.toBuilder()
            .setField(REPAIR.getDescriptorForType().findFieldByName("version"), 2)
            .build());
    assertThat(controller.getFailedOn())
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContainingAll("version 2", "answers version 1", "upgrade the region servers");
    assertThat(repaired).isEmpty();
  }
}
