package io.deli.coprocessor.internal.masterobserver;

import static io.deli.coprocessor.internal.masterobserver.RestoredTableTest.index;
import static io.deli.coprocessor.internal.masterobserver.RestoredTableTest.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.DeliRegionObserver;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.Maintenance;
import java.io.IOException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class RequiredCoprocessorTest {
  private static final IndexDefinition SERVED = index("by_q").withMaintenance(Maintenance.SERVER);

  private static TableDescriptor observed(TableDescriptor table) throws IOException {
    return TableDescriptorBuilder.newBuilder(table)
        .setCoprocessor(DeliRegionObserver.class.getName())
        .build();
  }

  @Test
  void keepsTheCoprocessorWhileAnIndexNeedsIt() throws IOException {
    TableDescriptor serverMaintained = with(SERVED);
    assertThat(
            RequiredCoprocessor.removed(observed(serverMaintained), serverMaintained).orElseThrow())
        .contains("table ns:t ", "f:q", "deli disable-index", "deli drop-index");
    assertThat(RequiredCoprocessor.removed(observed(serverMaintained), observed(serverMaintained)))
        .isEmpty();
    assertThat(RequiredCoprocessor.removed(serverMaintained, serverMaintained)).isEmpty();
  }

  @Test
  void doesNotTakeAnIndexIntoUseWithoutIt() throws IOException {
    TableDescriptor disabled = with(SERVED.withState(IndexState.DISABLED));
    assertThat(RequiredCoprocessor.removed(disabled, with(SERVED))).isPresent();
    assertThat(RequiredCoprocessor.removed(disabled, observed(with(SERVED)))).isEmpty();
  }

  @Test
  void losesItWithTheLastIndexThatNeedsIt() throws IOException {
    TableDescriptor serverMaintained = observed(with(SERVED));
    assertThat(RequiredCoprocessor.removed(serverMaintained, with())).isEmpty();
    assertThat(
            RequiredCoprocessor.removed(
                serverMaintained, with(SERVED.withState(IndexState.DISABLED))))
        .isEmpty();
    TableDescriptor kept = with(index("by_q"));
    assertThat(RequiredCoprocessor.removed(observed(kept), kept)).isEmpty();
  }
}
