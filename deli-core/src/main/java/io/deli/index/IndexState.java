package io.deli.index;

/** The state of an index: whether writers maintain it and readers may use it. */
public enum IndexState {
  /** Writers maintain it; readers are refused, since rows may still lack their entries. */
  BUILDING(true, false),
  /** Writers maintain it and readers use it. */
  ACTIVE(true, true),
  /**
   * Neither maintained nor readable. Rows written meanwhile lack entries until they are written
   * again.
   */
  DISABLED(false, false),
  /**
   * Disabled, because the definition came with a snapshot of another table, without the index
   * table. Never stored: derived from the table's name.
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
