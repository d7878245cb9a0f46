package io.deli.client;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;

/**
 * Streams the hits of a value query, in the order the query asked for.
 *
 * <p>A scanner is no snapshot. Each hit satisfied the query at some moment since the scanner was
 * opened. A row that satisfied it at every moment comes exactly once, also if it was put again or
 * moved within the range or from one side of an {@code or} to another meanwhile; such a row may
 * come out of order. With {@code versions(m)} that holds of each version. It does not hold of
 *
 * <ul>
 *   <li>a row that moves to a place ahead of the continuation with which the scanner began, for
 *       that belongs to what was read before;
 *   <li>a row that moves from ahead of the scan to behind it by an exact delete, or by a timestamp
 *       which the application gave, to a version older than the query, less {@code
 *       deli.read.skew.ms}, if its old entry is deleted before the scan comes to it;
 *   <li>a row that comes when more are remembered than {@code deli.read.memory.bytes} hold: it may
 *       come again if it is written again, and of an {@code or} be missed if it changes sides.
 * </ul>
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
   * Returns the position behind the hits taken so far, for a later query to continue from; empty
   * when there are known to be no more. If it is present, there may still be no more. It stays
   * valid across region splits and client restarts, for the same query only; limit and projection
   * may change. Empty, too, for {@link ValueQuery#mostRecent}.
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
