package io.deli.index;

/** The state of an index: whether writers maintain it and readers may use it. */
public enum IndexState {
  /** Writers maintain it; readers are refused, since rows may still lack their entries. */
  BUILDING,
  /** Writers maintain it and readers use it. */
  ACTIVE,
  /**
   * Neither maintained nor readable. Rows written meanwhile lack entries until they are written
   * again.
   */
  DISABLED,
  /**
   * Disabled, because the definition came with a snapshot of another table, without the index
   * table. Never stored: derived from the table's name.
   */
  DETACHED;

  public boolean maintained() {
    return this == BUILDING || this == ACTIVE;
  }

  public boolean readable() {
    return this == ACTIVE;
  }
}
