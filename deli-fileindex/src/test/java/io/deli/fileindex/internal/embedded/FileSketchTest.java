package io.deli.fileindex.internal.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.fileindex.internal.blocks.Blocks;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileSketchTest {
  /** Who reads files takes them to have no filters then. */
  @Test
  void anotherFormatIsNotUnderstood() throws Exception {
    byte[] bytes = FileSketch.toBytes(new Blocks(List.of()), List.of());
    assertThat(FileSketch.from(bytes).zones()).isEmpty();
    bytes[0] = 3;
    assertThatThrownBy(() -> FileSketch.from(bytes))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("format 3", "reads 2");
  }
}
