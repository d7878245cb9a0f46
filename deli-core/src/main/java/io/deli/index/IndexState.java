package io.deli.index;

/** What writers and readers may do with an index. */
public enum IndexState {
  /** Writers maintain it; readers are refused, since rows may still lack their entries. */
  BUILDING(true, false),
  /** Writers maintain it and readers use it. */
  ACTIVE(true, true),
  /** Nobody maintains or reads it; what was written meanwhile lacks entries until written again. */
  DISABLED(false, false),
  /**
   * As {@link #DISABLED}: the definition came with a snapshot of another table, and the index table
   * stayed there. Never stored, but told by the table's name.
   */
  DETACHED(false, false);

  private final boolean maintained;
  private final boolean readable;

  IndexState(boolean maintained, boolean readable) {
    this.maintained = maintained;
    this.readable = readable;
  }

  public boolean maintained() {
    return maintained;
  }

  public boolean readable() {
    return readable;
  }
}
