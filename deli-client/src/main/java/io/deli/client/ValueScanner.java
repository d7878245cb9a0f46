package io.deli.client;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;

/**
 * Streams the hits of a value query, in the order the query asked for.
 *
 * <p>Pages are fetched ahead of use. Not thread-safe. Close it when done; reading on after the last
 * hit is harmless.
 */
public interface ValueScanner extends Iterable<ValueHit>, Closeable {
  /**
   * The next hit, or empty at the end.
   *
   * @throws IOException if the index or the base table cannot be read; the scanner is of no use
   *     afterwards, but {@link #continuation()} still tells where to go on
   */
  Optional<ValueHit> next() throws IOException;

  /**
   * Where a later query goes on behind the hits taken so far; empty when there are known to be no
   * more, though nothing may follow where it is present. It stays valid across region splits and
   * client restarts, for the same query only; limit and projection may change. Empty, too, for
   * {@link ValueQuery#mostRecent}.
   */
  Optional<Continuation> continuation();

  /**
   * Iterates over the hits; an {@link IOException} comes as {@link java.io.UncheckedIOException}.
   */
  @Override
  Iterator<ValueHit> iterator();

  @Override
  void close();
}
