package io.deli.client;

/** The treatment of rows that exist before an index does. */
public enum ExistingRows {
  /** Refuses to make the index usable while the table has rows. */
  REFUSE,
  /** Goes on: the index does not find existing rows until they are written again. */
  LEAVE_UNINDEXED,
  /**
   * Has writers maintain the index, which may not be read until {@link DeliAdmin#build} is done.
   */
  BUILD
}
