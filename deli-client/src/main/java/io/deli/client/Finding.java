package io.deli.client;

import io.deli.entry.Entry;
import java.util.Objects;
import java.util.Optional;

/**
 * An inconsistency or leftover that a verification found. Callers must not change the array.
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

  /** The kind of a finding. */
  public enum Kind {
    /**
     * A version of the base table without entry, so that lookups do not find it: a defect, or a
     * writer that bypasses DELI.
     */
    MISSING,

    /**
     * The base row has another value at the entry's timestamp, without an entry: the value was
     * changed by a writer that bypasses DELI. Or the cell of the index is no entry.
     */
    MISMATCHED,

    /**
     * A version whose value the index cannot hold, since it is of another type or a token is too
     * long for HBase: written before the index, or by a client that bypasses DELI, which would have
     * refused it. Lookups do not find it.
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
