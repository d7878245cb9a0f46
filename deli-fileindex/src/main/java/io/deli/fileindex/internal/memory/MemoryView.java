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
    List<MemoryRun.Part> parts = parts(tokens);
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
    return parts(tokens).stream().flatMap(MemoryRun.Part::byToken).map(List::iterator);
  }

  /** The parts of runs that have such entries, none of them empty. */
  private List<MemoryRun.Part> parts(TokenRange tokens) {
    List<MemoryRun.Part> parts = new ArrayList<>();
    // It takes time to find the stretches of a rectangle.
    for (TokenRange stretch : runs.isEmpty() ? List.<TokenRange>of() : tokens.parts()) {
      for (MemoryRun run : runs) {
        MemoryRun.Part part = run.part(stretch);
        if (!part.isEmpty()) {
          parts.add(part);
        }
      }
    }
    return parts;
  }
}
