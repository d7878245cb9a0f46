package io.deli.coprocessor.internal.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.service.RegionService;
import io.deli.service.RegionService.Suspect;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.ServerRpcController;
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
    return RegionService.kept(0);
  }

  @Override
  public List<Integer> sweep(RegionService.Entries entries) {
    return List.of(entries.entries().size() - 1);
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
    assertThat(RegionService.missed(answers.get(0))).containsExactly(1);
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
