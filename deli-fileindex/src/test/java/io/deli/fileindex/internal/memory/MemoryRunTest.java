package io.deli.fileindex.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.query.TokenRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class MemoryRunTest {
  private static final byte[] NONE = {};

  /** By token; those of one token newest first. */
  private static final Comparator<MemoryEntry> ORDER =
      Comparator.comparing(MemoryEntry::token, Bytes.BYTES_COMPARATOR)
          .thenComparing(MemoryEntry::timestamp, Comparator.reverseOrder())
          .thenComparing(MemoryEntry::row, Bytes.BYTES_COMPARATOR);

  private final Random random = new Random(20261128);

  /** Of few bytes, so that tokens begin alike, and end within, at and behind what runs hold. */
  private byte[] token(int sharedBytes) {
    byte[] token = new byte[sharedBytes + random.nextInt(12)];
    Arrays.fill(token, 0, sharedBytes, (byte) 7);
    for (int i = sharedBytes; i < token.length; i++) {
      token[i] = (byte) (random.nextInt(3) - 1);
    }
    return token;
  }

  private static MemoryRun run(Stream<MemoryEntry> entries) {
    MemoryRun.Builder builder = new MemoryRun.Builder();
    entries.forEach(
        entry ->
            builder.add(
                entry.token(), new KeyValue(entry.row(), NONE, NONE, entry.timestamp(), NONE)));
    return builder.build();
  }

  private List<MemoryEntry> entries(int count, int sharedBytes) {
    return Stream.generate(() -> new MemoryEntry(token(sharedBytes), random.nextInt(9), token(0)))
        .limit(count)
        .toList();
  }

  private static void expect(MemoryRun run, List<MemoryEntry> entries, TokenRange tokens) {
    assertThat(run.part(tokens))
        .usingElementComparator(ORDER)
        .containsExactlyElementsOf(
            entries.stream()
                .filter(entry -> tokens.contains(entry.token()))
                .sorted(ORDER)
                .toList());
  }

  @Test
  void theTokensOfARangeAreFound() {
    for (int sharedBytes : List.of(0, 1, 9)) {
      for (int count : List.of(1, 2, 40, 700)) {
        List<MemoryEntry> entries = entries(count, sharedBytes);
        MemoryRun run = run(entries.stream());
        for (int i = 0; i < 400; i++) {
          byte[] one = random.nextBoolean() ? token(sharedBytes) : token(random.nextInt(10));
          byte[] other = token(random.nextInt(10));
          expect(run, entries, TokenRange.only(one));
          expect(run, entries, TokenRange.of(one, Optional.of(other)));
          expect(run, entries, TokenRange.of(other, Optional.empty()));
        }
        entries.forEach(entry -> expect(run, entries, TokenRange.only(entry.token())));
      }
    }
  }

  @Test
  void theLeastAndTheGreatestTokensAreFound() {
    byte[] most = new byte[9];
    Arrays.fill(most, (byte) 0xFF);
    List<byte[]> tokens = List.of(new byte[0], new byte[8], Bytes.head(most, 8), most);
    List<MemoryEntry> entries =
        tokens.stream().map(token -> new MemoryEntry(token, 1, new byte[0])).toList();
    MemoryRun run = run(entries.stream());
    tokens.forEach(token -> expect(run, entries, TokenRange.only(token)));
    expect(run, entries, TokenRange.of(new byte[0], Optional.empty()));
  }

  @Test
  void twoRunsBecomeOne() {
    List<MemoryEntry> all = new ArrayList<>(entries(300, 4));
    List<MemoryEntry> others = entries(200, 3);
    MemoryRun both = run(all.stream()).and(run(others.stream()));
    all.addAll(others);
    assertThat(both.size()).isEqualTo(500);
    expect(both, all, TokenRange.of(new byte[0], Optional.empty()));
    others.forEach(entry -> expect(both, all, TokenRange.only(entry.token())));
  }

  /** As where lookups come between writes. */
  @Test
  void manyRunsBecomeOne_ofFewArrays() {
    List<MemoryEntry> all = entries(6_000, 2);
    MemoryRun run = run(all.subList(0, 1).stream());
    for (int i = 1; i < 3_000; i++) {
      run = run.and(run(all.subList(i, i + 1).stream()));
    }
    assertThat(run.countChunks()).isEqualTo(1);
    MemoryRun both = run.and(run(all.subList(3_000, 6_000).stream()));
    assertThat(both.countChunks()).isEqualTo(2);
    expect(both, all, TokenRange.of(new byte[0], Optional.empty()));
    all.forEach(entry -> expect(both, all, TokenRange.only(entry.token())));
  }
}
