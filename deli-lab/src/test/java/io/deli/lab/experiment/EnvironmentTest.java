package io.deli.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tree is known by its commit and by what differs from it. */
class EnvironmentTest {
  @TempDir private Path directory;

  private void git(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("git", "-c", "user.name=a", "-c", "user.email=b"));
    command.addAll(List.of(arguments));
    assertThat(new ProcessBuilder(command).directory(directory.toFile()).start().waitFor())
        .isZero();
  }

  private String commitWith(String content) throws IOException {
    Files.writeString(directory.resolve("file"), content);
    return Campaign.commit(Optional.of(directory.toFile())).orElseThrow();
  }

  @Test
  void twoChangedTreesAreNotTheSame() throws Exception {
    git("init", "-q");
    Files.writeString(directory.resolve("file"), "committed");
    git("add", "file");
    git("commit", "-q", "-m", "first");
    String clean = commitWith("committed");
    assertThat(clean).hasSize(10);
    String one = commitWith("one");
    assertThat(one).startsWith(clean + "-dirty-");
    assertThat(commitWith("two")).startsWith(clean + "-dirty-").isNotEqualTo(one);
    assertThat(commitWith("one")).isEqualTo(one);
  }
}
