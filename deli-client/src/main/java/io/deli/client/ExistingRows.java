package io.deli.client;

/** What to do about rows that an index would not hold. */
public enum ExistingRows {
  /** Refuse to make the index usable while the table has rows. */
  REFUSE,
  /** Go on: rows already there are not found by the index until they are next written. */
  LEAVE_UNINDEXED,
  /** Writers maintain the index, and nobody may read it until {@link DeliAdmin#build} is done. */
  BUILD
}
