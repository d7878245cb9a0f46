package io.deli.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.lab.cluster.Await;
import io.deli.lab.experiment.ColdDisk.ReadThrottle;
import io.deli.tools.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process is held back meanwhile and only then; where that cannot be, an error says why. */
class ReadThrottleTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;

  @Test
  void holdsAProcessBackMeanwhile() throws IOException {
    ReadThrottle throttle;
    try {
      throttle = ReadThrottle.ofDiskWith(directory, 100);
    } catch (Failure refused) {
      assertThat(refused).hasMessageContaining("control groups for block devices");
      return;
    }
    Process process = new ProcessBuilder("sh", "-c", "read start; sleep 1 & sleep 600").start();
    try {
      throttle.during(
          process.pid(),
          () -> {
            assertThat(groups(process)).contains("/deli-");
            // What it starts here stays here until it ends.
            process.outputWriter().append("start\n").flush();
            assertThat(Await.until(PATIENCE, () -> process.children().count() == 2)).isTrue();
          });
      assertThat(groups(process)).doesNotContain("/deli-");
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static String groups(Process process) throws IOException {
    return Files.readString(Path.of("/proc/%d/cgroup".formatted(process.pid())));
  }
}
