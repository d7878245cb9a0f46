package io.deli.fileindex.internal.blocks;

/** Something to be cached. */
public interface Weighed {
  /** Bytes on the heap, about. */
  long weight();
}
