package io.deli.fileindex.internal.next;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.fileindex.internal.blocks.Blocks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class FilePostingsTest {
  /** Who reads files takes them to have no postings then. */
  @Test
  void anotherFormatIsNotUnderstood() throws Exception {
    byte[] bytes =
        new FilePostings("name", new Blocks(List.of()), List.of(), ByteBuffer.allocate(0))
            .toBytes();
    assertThat(FilePostings.from("name", bytes).zones()).isEmpty();
    bytes[0] = 1;
    assertThatThrownBy(() -> FilePostings.from("name", bytes))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("format 1", "reads 5");
  }
}
