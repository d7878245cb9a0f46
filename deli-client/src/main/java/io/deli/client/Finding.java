package io.deli.client;

import io.deli.entry.Entry;
import java.util.Objects;
import java.util.Optional;

/**
 * One thing that a verification found. Callers must not change the array.
 *
 * @param row the row of the index table where the entry is, or should be
 * @param entry the entry, with an empty token if that is too long; empty if what is in the row is
 *     none
 */
public record Finding(Kind kind, byte[] row, Optional<Entry> entry) {
  public Finding {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(row, "row");
    Objects.requireNonNull(entry, "entry");
  }

  /** What is wrong. */
  public enum Kind {
    /**
     * A version of the base table has no entry, so that lookups do not find it: a defect, or a
     * writer that bypasses DELI.
     */
    MISSING,

    /**
     * The base row has another value at the entry's timestamp, which the index does not know: the
     * value was changed past DELI. Or what is in the index is no entry.
     */
    MISMATCHED,

    /**
     * A version whose value the index does not take, since it is of another type, or has a token
     * that is too long for HBase: it got there past DELI, which would have refused it, or before
     * the index, and lookups do not find it.
     */
    UNINDEXABLE,

    /**
     * An entry without any version, dead or alive, and older than the grace period. Writes that
     * fail leave some, and so do conditional ones that change nothing, and those that are repeated
     * with a new timestamp: lookups pass it over, and have it repaired, but no collection takes it.
     * Only under strategies whose collections take all others.
     */
    DANGLING,

    /**
     * An entry whose version was superseded, deleted or has expired. Normal: a collection takes it
     * or, under a strategy without, a lookup.
     */
    OBSOLETE;

    /** Whether an index in order has none of it. */
    public boolean isDamage() {
      return this == MISSING || this == MISMATCHED;
    }
  }
}
