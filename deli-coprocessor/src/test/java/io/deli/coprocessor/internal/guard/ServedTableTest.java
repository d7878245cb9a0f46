package io.deli.coprocessor.internal.guard;

import static io.deli.coprocessor.internal.guard.RestoredTableTest.index;
import static io.deli.coprocessor.internal.guard.RestoredTableTest.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.DeliRegionObserver;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.Maintenance;
import java.io.IOException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class ServedTableTest {
  private static final IndexDefinition SERVED = index("by_q").withMaintenance(Maintenance.SERVER);

  private static TableDescriptor observed(TableDescriptor table) throws IOException {
    return TableDescriptorBuilder.newBuilder(table)
        .setCoprocessor(DeliRegionObserver.class.getName())
        .build();
  }

  @Test
  void keepsTheCoprocessorWhileAnIndexNeedsIt() throws IOException {
    TableDescriptor served = with(SERVED);
    assertThat(ServedTable.bared(observed(served), served).orElseThrow())
        .contains("table ns:t ", "f:q", "deli disable-index", "deli drop-index");
    assertThat(ServedTable.bared(observed(served), observed(served))).isEmpty();
    assertThat(ServedTable.bared(served, served)).isEmpty();
  }

  @Test
  void doesNotTakeAnIndexIntoUseWithoutIt() throws IOException {
    TableDescriptor disabled = with(SERVED.withState(IndexState.DISABLED));
    assertThat(ServedTable.bared(disabled, with(SERVED))).isPresent();
    assertThat(ServedTable.bared(disabled, observed(with(SERVED)))).isEmpty();
  }

  @Test
  void losesItWithTheLastIndexThatNeedsIt() throws IOException {
    TableDescriptor served = observed(with(SERVED));
    assertThat(ServedTable.bared(served, with())).isEmpty();
    assertThat(ServedTable.bared(served, with(SERVED.withState(IndexState.DISABLED)))).isEmpty();
    TableDescriptor kept = with(index("by_q"));
    assertThat(ServedTable.bared(observed(kept), kept)).isEmpty();
  }
}
