package io.deli.client.internal.write;

import static io.deli.client.internal.write.PlannedTable.ROW;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.junit.jupiter.api.Test;

/** Writes whose definitions are still being read. */
class IndexedTableWriterTest {
  private final CompletableFuture<TableDescriptor> definitions = new CompletableFuture<>();
  private final RecordedClients clients = new RecordedClients();
  private final IndexedTableWriter writer =
      new IndexedTableWriter(PlannedTable.setup(clients, System::nanoTime, definitions));

  private void assertTaken(Consumer<List<Row>> change) {
    Row put = PlannedTable.put();
    List<Row> list = new ArrayList<>(List.of(put));
    List<CompletableFuture<Object>> answers = writer.write(list);
    change.accept(list);
    definitions.complete(PlannedTable.table().descriptor());
    assertThat(answers).hasSize(1).allMatch(CompletableFuture::isDone);
    assertThat(clients.toBase()).containsExactly(put);
  }

  @Test
  void write_listThatIsClearedThen_writesWhatItHad() {
    assertTaken(List::clear);
  }

  @Test
  void write_listThatIsFilledAnewThen_writesWhatItHad() {
    assertTaken(list -> list.set(0, new Delete(ROW)));
  }
}
