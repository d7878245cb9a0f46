package io.deli.fileindex.internal.next;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class SpillFileTest {
  private static final byte[] TOKEN =
      "a token that nobody else may read".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path directory;

  @Test
  void read_returnsWhatWasAppended_atAnyPosition() throws Exception {
    try (SpillFile file = new SpillFile(directory)) {
      for (int i = 0; i < 100; i++) {
        file.append(TOKEN, i % 7, 20);
      }
      for (int i = 0; i < 100; i++) {
        assertThat(file.read(20 * i + 3, 11)).isEqualTo(part(i % 7 + 3, 11));
      }
      try (InputStream stream = file.stream(20 * 9 + 1, 20 * 11)) {
        assertThat(stream.readNBytes(19)).isEqualTo(part(9 % 7 + 1, 19));
        assertThat(stream.readAllBytes()).isEqualTo(part(10 % 7, 20));
      }
    }
  }

  @Test
  void bytes_areReadOneByOne_toTheEndOfThePart() throws Exception {
    try (SpillFile file = new SpillFile(directory.resolve("made").resolve("for-it"))) {
      try (OutputStream out = file.appending()) {
        for (int one : new int[] {7, 0, 0xFF, 1}) {
          out.write(one);
        }
      }
      assertThat(file.length()).isEqualTo(4);
      try (InputStream stream = file.stream(1, 3)) {
        assertThat(stream.read()).isZero();
        assertThat(stream.read(new byte[0], 0, 0)).isZero();
        assertThat(stream.read()).isEqualTo(0xFF);
        assertThat(stream.read()).isEqualTo(-1);
      }
      assertThatThrownBy(() -> file.read(2, 3))
          .isInstanceOf(EOFException.class)
          .hasMessage("3 bytes at 2");
    }
  }

  private static byte[] part(int offset, int count) {
    return Arrays.copyOfRange(TOKEN, offset, offset + count);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void theDiskHoldsNoToken() throws Exception {
    try (SpillFile file = new SpillFile(directory)) {
      file.append(TOKEN, 0, TOKEN.length);
      List<Path> open = open();
      assertThat(open).hasSize(1);
      assertThat(Files.readAllBytes(open.get(0))).hasSize(TOKEN.length).isNotEqualTo(TOKEN);
    }
  }

  /** The files of this directory that this process has open. */
  private List<Path> open() throws IOException {
    try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.filter(this::isOfDirectory).toList();
    }
  }

  private boolean isOfDirectory(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(directory.toRealPath());
    } catch (IOException e) {
      return false;
    }
  }
}
