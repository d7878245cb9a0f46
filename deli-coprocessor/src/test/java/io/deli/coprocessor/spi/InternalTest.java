package io.deli.coprocessor.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A member of HBase's that is not what it was is missing, and it is said what stops working. */
class InternalTest {
  private static final String WITHOUT = "lookups search memory whole";

  private static Internal memory(String owner, String name, String type) {
    return Internal.field(owner, name, type, WITHOUT);
  }

  @Test
  void whatMovedIsNamedWithWhatStops() {
    assertThat(memory("regionserver.HStore", "memstore", "MemStore").missing()).isEmpty();
    for (Internal moved :
        List.of(
            memory("regionserver.HStore", "memory", "MemStore"),
            memory("regionserver.Store", "memory", "MemStore"),
            memory("regionserver.moved.HStore", "memory", "MemStore"))) {
      assertThat(moved.missing().orElseThrow())
          .matches("H?Store\\.memory is gone: lookups search memory whole");
      assertThat(moved.isOf(moved)).isFalse();
      assertThatThrownBy(() -> moved.get(moved))
          .isInstanceOf(ReflectiveOperationException.class)
          .hasMessage(moved.missing().orElseThrow());
    }
  }

  @Test
  void aMemberOfAnotherTypeIsNotTakenForTheOneThatMoved() {
    assertThat(memory("regionserver.HStore", "memstore", "Memory").missing())
        .contains("HStore.memstore is gone: " + WITHOUT);
    String owner = "regionserver.StoreFileWriter";
    assertThat(Internal.method(owner, "getLiveFileWriter", "Writer", WITHOUT).missing()).isEmpty();
    assertThat(
            Stream.of(
                    Internal.method(owner, "getLiveFileWriter", "File", WITHOUT),
                    Internal.method(owner, "getLiveFileWriter", "Writer", WITHOUT, int.class))
                .map(Internal::missing))
        .containsOnly(Optional.of("StoreFileWriter.getLiveFileWriter is gone: " + WITHOUT));
  }
}
