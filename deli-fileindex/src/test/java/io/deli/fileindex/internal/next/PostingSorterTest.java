package io.deli.fileindex.internal.next;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostingSorterTest {
  /** Bytes of a posting with a token and a row of one byte each, and of its place. */
  private static final int BYTES = 6;

  private static final int PLACE = 28;

  @TempDir private Path directory;

  private static Posting posting(String token, String row) {
    return new Posting(Bytes.toBytes(token), Bytes.toBytes(row), 5, 6);
  }

  private static List<String> sorted(PostingSorter sorter) throws IOException {
    List<String> sorted = new ArrayList<>();
    sorter.forEach(
        posting -> {
          assertThat(List.of(posting.oldest(), posting.newest())).containsExactly(5L, 6L);
          sorted.add(Bytes.toString(posting.token()) + Bytes.toString(posting.row()));
        });
    return sorted;
  }

  /** An empty token begins with the byte that others end with. */
  @Test
  void postings_areSortedByToken_andStayInTheOrderOfRows_inMemoryOrSpilled() throws Exception {
    for (long mostBytes : new long[] {0, 2 * (BYTES + PLACE), Long.MAX_VALUE}) {
      try (PostingSorter sorter = new PostingSorter(directory, mostBytes)) {
        for (String row : List.of("1", "2", "3", "4")) {
          for (String token : List.of("b", "a", "")) {
            sorter.add(posting(token, row));
          }
        }
        assertThat(sorted(sorter))
            .containsExactly("1", "2", "3", "4", "a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4");
      }
    }
  }

  @Test
  void aRun_isSpilledWhenItsPostingsAndTheirPlacesExceedTheBound() throws Exception {
    for (int more : new int[] {0, 1}) {
      try (PostingSorter sorter = new PostingSorter(directory, 2 * (BYTES + PLACE) - more)) {
        sorter.add(posting("a", "1"));
        assertThat(sorter.spilled()).isEmpty();
        sorter.add(posting("a", "2"));
        assertThat(sorter.spilled().isPresent()).isEqualTo(more == 1);
      }
    }
  }

  @Test
  void heap_isThatOfTheRunAndItsPlaces_andOfWhatIsReadAhead() throws Exception {
    int postings = 1_000;
    try (PostingSorter inMemory = new PostingSorter(directory, Long.MAX_VALUE);
        PostingSorter runs = new PostingSorter(directory, 0)) {
      for (int i = 0; i < postings; i++) {
        inMemory.add(posting("a", "1"));
      }
      assertThat(inMemory.heap())
          .as("the buffer doubles when it is full")
          .isBetween(postings * (long) (BYTES + PLACE), postings * (2L * BYTES + PLACE));
      for (int i = 0; i < 3; i++) {
        runs.add(posting("a", "1"));
      }
      assertThat(runs.heap()).isBetween(3L * (16 << 10), 3L * (16 << 10) + 100);
    }
  }
}
