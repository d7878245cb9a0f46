package io.deli.tools.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EntryFilesTest {
  private static final long MEGABYTE = 1L << 20;

  @Test
  void allThreadsTogetherHoldAQuarterOfTheHeap() {
    assertThat(EntryFiles.bytes(768 * MEGABYTE, 4)).isEqualTo(48 * MEGABYTE);
    assertThat(EntryFiles.bytes(768 * MEGABYTE, 8)).isEqualTo(24 * MEGABYTE);
  }

  @Test
  void aThreadHoldsNoMoreThanALoadNeeds() {
    assertThat(EntryFiles.bytes(64 * 1_024 * MEGABYTE, 1)).isEqualTo(128 * MEGABYTE);
  }
}
