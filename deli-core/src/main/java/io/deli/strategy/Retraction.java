package io.deli.strategy;

/** The moment at which the entries of a dead version are deleted from the index. */
public enum Retraction {
  /** Never: there are none. Constrains no operation on the base table. */
  NEVER,

  /**
   * After a delete, by the client that deletes the version. Entries of superseded versions stay
   * until a reader meets them or the index table is compacted. A delete reads the base row before
   * and after.
   */
  AT_DELETE,

  /**
   * After a write, by the client that deletes or supersedes the version. Every write reads the base
   * row. Only the newest version has entries, so the index cannot answer for older ones.
   */
  AT_WRITE,

  /**
   * Before the flush or compaction of the base table that drops the version. Writes read nothing.
   * Versions stay in the base table's files until their entries are deleted.
   */
  AT_REWRITE;

  /** Whether deletes take entries out. */
  public boolean followsDeletes() {
    return this == AT_DELETE || this == AT_WRITE;
  }

  /**
   * Whether a version that is superseded may have lost its entries, so that a delete which makes it
   * current again must restore them.
   */
  public boolean forgetsSuperseded() {
    return this == AT_WRITE || this == AT_REWRITE;
  }
}
