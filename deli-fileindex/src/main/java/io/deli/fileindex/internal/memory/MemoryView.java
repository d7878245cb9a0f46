package io.deli.fileindex.internal.memory;

import io.deli.query.TokenRange;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Entries of a store's memory: of all versions that it had at one moment, and perhaps of some more.
 * Thread-safe.
 *
 * @param runs each in order
 */
public record MemoryView(List<List<MemoryEntry>> runs) {
  /**
   * The entries whose tokens are from the first of a range on up to its end, in no order; of a
   * rectangle those on the stretches of the curve in which its points lie.
   *
   * @return empty if there are more than so many
   */
  public Optional<List<MemoryEntry>> between(TokenRange tokens, int most) {
    List<MemoryEntry> found = parts(tokens).flatMap(List::stream).limit(most + 1L).toList();
    return Optional.of(found).filter(list -> list.size() <= most);
  }

  /** Whether there are any. */
  public boolean hasAny(TokenRange tokens) {
    for (TokenRange stretch : runs.isEmpty() ? List.<TokenRange>of() : tokens.parts()) {
      for (List<MemoryEntry> run : runs) {
        if (!part(run, stretch).isEmpty()) {
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

  private Stream<List<MemoryEntry>> parts(TokenRange tokens) {
    List<TokenRange> stretches = tokens.parts();
    return runs.stream()
        .flatMap(run -> stretches.stream().map(each -> part(run, each)))
        .filter(Predicate.not(List::isEmpty));
  }

  private static Stream<Iterator<MemoryEntry>> byToken(List<MemoryEntry> part) {
    return Stream.iterate(
            part,
            rest -> !rest.isEmpty(),
            rest -> rest.subList(place(rest, successor(rest)), rest.size()))
        .map(rest -> rest.subList(0, place(rest, successor(rest))).iterator());
  }

  private static byte[] successor(List<MemoryEntry> entries) {
    return TokenRange.successor(entries.get(0).token());
  }

  private static List<MemoryEntry> part(List<MemoryEntry> run, TokenRange tokens) {
    if (tokens.isEmpty()) {
      return List.of();
    }
    int end = tokens.end().map(token -> place(run, token)).orElse(run.size());
    return run.subList(place(run, tokens.first()), end);
  }

  /** How many are ahead of all with the token. */
  private static int place(List<MemoryEntry> run, byte[] token) {
    int found = Collections.binarySearch(run, MemoryEntry.first(token), MemoryEntry.ORDER);
    return found < 0 ? -found - 1 : found;
  }
}
