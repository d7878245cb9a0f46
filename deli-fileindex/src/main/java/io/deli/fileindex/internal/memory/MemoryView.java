package io.deli.fileindex.internal.memory;

import io.deli.query.TokenRange;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
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
  public Optional<List<MemoryEntry>> between(TokenRange tokens, int most) {
    List<MemoryEntry> found = new ArrayList<>();
    for (TokenRange stretch : stretches(tokens)) {
      for (MemoryRun run : runs) {
        List<MemoryEntry> part = run.part(stretch);
        if (part.size() > most - found.size()) {
          return Optional.empty();
        }
        found.addAll(part);
      }
    }
    return Optional.of(found);
  }

  /** Whether there are any. */
  public boolean hasAny(TokenRange tokens) {
    for (TokenRange stretch : stretches(tokens)) {
      for (MemoryRun run : runs) {
        if (!run.part(stretch).isEmpty()) {
          return true;
        }
      }
    }
    return false;
  }

  /** The same, of each token its entries, newest first; a token may come more than once. */
  public Stream<Iterator<MemoryEntry>> byToken(TokenRange tokens) {
    return parts(tokens).flatMap(MemoryView::byToken);
  }

  /** Those of a rectangle take time to find. */
  private List<TokenRange> stretches(TokenRange tokens) {
    return runs.isEmpty() ? List.of() : tokens.parts();
  }

  private Stream<List<MemoryEntry>> parts(TokenRange tokens) {
    List<TokenRange> stretches = stretches(tokens);
    return runs.stream()
        .flatMap(run -> stretches.stream().map(run::part))
        .filter(Predicate.not(List::isEmpty));
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
