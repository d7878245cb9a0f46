package io.deli.fileindex.internal.memory;

import io.deli.query.TokenRange;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Entries of a store's memory: of all versions that it had at one moment, and perhaps of some more.
 * Thread-safe.
 */
public final class MemoryView {
  private final List<NavigableSet<MemoryEntry>> parts;

  MemoryView(List<NavigableSet<MemoryEntry>> parts) {
    this.parts = parts;
  }

  /**
   * The entries whose tokens are from the first of a range on up to its end, in no order; of a
   * rectangle those on the stretches of the curve in which its points lie.
   *
   * @return empty if there are more than so many
   */
  public Optional<List<MemoryEntry>> between(TokenRange tokens, int most) {
    List<MemoryEntry> found = parts(tokens).flatMap(NavigableSet::stream).limit(most + 1L).toList();
    return Optional.of(found).filter(list -> list.size() <= most);
  }

  /** The same, of each token its entries, newest first. */
  public Stream<Iterator<MemoryEntry>> byToken(TokenRange tokens) {
    return parts(tokens).flatMap(MemoryView::byToken);
  }

  private Stream<NavigableSet<MemoryEntry>> parts(TokenRange tokens) {
    List<TokenRange> stretches = tokens.parts();
    return parts.stream().flatMap(all -> stretches.stream().map(each -> part(all, each)));
  }

  private static Stream<Iterator<MemoryEntry>> byToken(NavigableSet<MemoryEntry> part) {
    return Stream.iterate(
            part.ceiling(MemoryEntry.first(new byte[0])),
            Objects::nonNull,
            each -> part.ceiling(MemoryEntry.first(TokenRange.successor(each.token()))))
        .map(each -> part(part, TokenRange.only(each.token())).iterator());
  }

  private static NavigableSet<MemoryEntry> part(NavigableSet<MemoryEntry> all, TokenRange tokens) {
    if (tokens.isEmpty()) {
      return Collections.emptyNavigableSet();
    }
    NavigableSet<MemoryEntry> behind = all.tailSet(MemoryEntry.first(tokens.first()), true);
    return tokens.end().map(end -> behind.headSet(MemoryEntry.first(end), false)).orElse(behind);
  }
}
