package io.deli.strategy;

/** When the entries of a version that died are taken out of the index. */
public enum Retraction {
  /** Never: there are none. Constrains no operation on the base table. */
  NEVER,

  /**
   * By the client that deletes the version, after its delete. Those of versions that are merely
   * superseded stay, until a reader meets them. A delete reads the base row, before and after.
   */
  AT_DELETE,

  /**
   * By the client that deletes or supersedes the version, after its write. Every write reads the
   * base row. Only the newest version has entries, so the index cannot answer for older ones.
   */
  AT_WRITE,

  /**
   * By the flush or compaction of the base table that drops the version, before it does. Writes
   * read nothing. Versions stay in the base table's files until their entries are gone.
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
