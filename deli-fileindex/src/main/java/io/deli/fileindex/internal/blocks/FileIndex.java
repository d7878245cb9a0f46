package io.deli.fileindex.internal.blocks;

import io.deli.query.TokenRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/** What is known of a file, to tell which of its blocks may hold what is wanted. Immutable. */
public interface FileIndex extends Weighed {
  Blocks blocks();

  /**
   * Ranges of tokens, in any order, each with the number of the part of this index that tells more;
   * a token in none of them is not in the file.
   */
  List<Zone> zones();

  /**
   * A range that has all tokens of a part, or some of them.
   *
   * @param part numbered from 0
   */
  record Zone(TokenRange tokens, int part) {}

  /**
   * Whether it may have a token, as far as memory tells; certain if not.
   *
   * @param token its {@link TokenBloom#hash}
   */
  default boolean mayHold(long token) {
    return true;
  }

  /**
   * Finds the blocks, or the rows.
   *
   * @param parts those whose zones may have wanted tokens, at least one
   * @param source reads what the file was written with beside its cells
   */
  Matches search(Wanted wanted, BitSet parts, Source source) throws IOException;

  /** Reads a named block of the file that holds no cells. */
  @FunctionalInterface
  interface Source {
    /**
     * Reads.
     *
     * @param content takes it; it is gone afterwards
     * @throws IOException also if there is none of the name
     */
    void read(String name, Consumer<ByteBuffer> content) throws IOException;
  }
}
