package io.deli.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Neither process nor data are left behind. */
class OwnProcessTest {
  @TempDir private Path parent;

  @Test
  void closingKillsItAndDeletesItsData() throws IOException {
    Path data = Files.createDirectories(parent.resolve("data"));
    Files.writeString(data.resolve("file"), "kept meanwhile");
    OwnProcess server = OwnProcess.start(new ProcessBuilder("sleep", "600"), data);
    assertThat(server.process().isAlive()).isTrue();
    assertThat(data.resolve("file")).exists();
    server.close();
    assertThat(server.process().isAlive()).isFalse();
    assertThat(data).doesNotExist();
  }

  @Test
  void oneThatDoesNotStartLeavesNoData() throws IOException {
    Path data = Files.createDirectories(parent.resolve("data"));
    assertThatThrownBy(() -> OwnProcess.start(new ProcessBuilder("/no/such/program"), data))
        .isInstanceOf(IOException.class);
    assertThat(data).doesNotExist();
  }
}
