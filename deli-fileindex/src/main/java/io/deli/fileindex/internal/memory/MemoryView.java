package io.deli.fileindex.internal.memory;

import io.deli.query.TokenRange;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Entries of a store's memory: of all versions that it had at one moment, and perhaps of some more.
 * Thread-safe.
 *
 * @param runs of them
 */
public record MemoryView(List<MemoryRun> runs) {
  /**
   * The entries whose tokens are from the first of a range on up to its end, in no order; of a
   * rectangle those on the stretches of the curve in which its points lie.
   *
   * @return empty if there are more than so many
   */
  public Optional<Stream<MemoryEntry>> between(TokenRange tokens, int most) {
    List<List<MemoryEntry>> parts = parts(tokens);
    return parts.stream().mapToLong(List::size).sum() > most
        ? Optional.empty()
        : Optional.of(parts.stream().flatMap(List::stream));
  }

  /** Whether there are any. */
  public boolean hasAny(TokenRange tokens) {
    return !parts(tokens).isEmpty();
  }

  /** The same, of each token its entries, newest first; a token may come more than once. */
  public Stream<Iterator<MemoryEntry>> byToken(TokenRange tokens) {
    return parts(tokens).stream().flatMap(MemoryView::byToken);
  }

  /** The parts of runs that have such entries, none of them empty. */
  private List<List<MemoryEntry>> parts(TokenRange tokens) {
    List<List<MemoryEntry>> parts = new ArrayList<>();
    // It takes time to find the stretches of a rectangle.
    for (TokenRange stretch : runs.isEmpty() ? List.<TokenRange>of() : tokens.parts()) {
      for (MemoryRun run : runs) {
        List<MemoryEntry> part = run.part(stretch);
        if (!part.isEmpty()) {
          parts.add(part);
        }
      }
    }
    return parts;
  }

  private static Stream<Iterator<MemoryEntry>> byToken(List<MemoryEntry> part) {
    return Stream.iterate(
            part,
            rest -> !rest.isEmpty(),
            rest -> rest.subList(MemoryRun.place(rest, successor(rest)), rest.size()))
        .map(rest -> rest.subList(0, MemoryRun.place(rest, successor(rest))).iterator());
  }

  private static byte[] successor(List<MemoryEntry> entries) {
    return TokenRange.successor(entries.get(0).token());
  }
}
