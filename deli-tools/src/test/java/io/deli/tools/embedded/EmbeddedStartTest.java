package io.deli.tools.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedStartTest {
  /** By this module's deli-site.xml, no master is in time. */
  @Test
  void aFailedStartPrintsNoThreads(@TempDir Path directory) {
    DataDirectory data = new DataDirectory(directory);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertThatThrownBy(
              () ->
                  EmbeddedHBase.start(
                      data, data.tryLock().orElseThrow(), Ports.ANY, "localhost", false))
          .hasMessageContaining("Master not active")
          .hasMessageContaining("hbase.log");
    } finally {
      System.setOut(out);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).doesNotContain("Thread");
  }
}
