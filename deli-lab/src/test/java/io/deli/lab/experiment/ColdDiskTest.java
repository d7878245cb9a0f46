package io.deli.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cache is dropped again and again, but only meanwhile. */
class ColdDiskTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path directory;

  @Test
  void isDroppedAgainAndAgain() throws IOException {
    Path control = Files.writeString(directory.resolve("drop_caches"), "");
    new ColdDisk(control, Duration.ofMillis(1), Optional.empty())
        .during(
            OptionalLong.empty(),
            () -> {
              for (int time = 0; time < 3; time++) {
                Files.writeString(control, "");
                awaitOne(control);
              }
            });
    assertThat(control).hasContent("1");
  }

  private static void awaitOne(Path control) throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.readString(control).equals("1")) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }
}
