package io.deli.simulation;

/** Something that is wrong on purpose, one at a time, for the judges to find. */
enum Defect {
  /** One of five entries is acknowledged and never made. */
  ENTRY_LOST,
  /** An entry is acknowledged before it is made, so that the base is ahead of it. */
  ENTRY_LATE,
  /** A server that is sent rows with their entries does not look whether it made these. */
  ROWS_UNCHECKED,
  /** A delete of an entry takes those of older timestamps along, and newer ones up to now. */
  DELETE_OF_EVERY_TIMESTAMP,
  /** Compactions drop versions and leave their entries. */
  NO_COLLECTION,
  /** The deletes of entries are acknowledged and never made. */
  DELETES_UNMADE,
  /** Compactions drop what is not acknowledged. */
  DROPS_UNACKNOWLEDGED(500),
  /** Readers and regions repair at once. */
  NO_GRACE,
  /** They do so after a quarter of the time. */
  SHORT_GRACE(900),
  /** Regions admit every timestamp. */
  NO_ADMISSION,
  /** A region that opens does not know that others were admitted before. */
  OPENING_FORGOTTEN,
  /** A compaction of some files drops the delete markers in them. */
  PARTIAL_PURGE,
  /** A flush drops surplus versions before a collection has seen them. */
  FLUSH_TRIMS,
  /** Repair asks what reads show, not what is held. */
  EVIDENCE_OF_READS,
  /** Repair looks into files only. */
  EVIDENCE_OF_FILES,
  /** Repair asks nothing. */
  NO_EVIDENCE,
  /** The ids of writes are not kept with their cells. */
  IDS_UNKEPT,
  /** All writes of a client within a millisecond have the same id. */
  IDS_EQUAL(12_100),
  /** An answer that may be a second request's counts as the first's. */
  RETRIES_UNCOUNTED,
  /** A client that stood still does not count that time. */
  SUSPENSION_UNCOUNTED(5_400),
  /** A client never sees that a write took long. */
  LATENESS_UNCOUNTED,
  /** Queries take clocks for equal, and writes for instant. */
  NO_MARGIN_FOR_CLOCKS(13_800),
  /** Queries do not remember the rows that they have given. */
  NO_ROW_MEMORY,
  /** Entries of refused timestamps are taken back though a version may have them. */
  WITHDRAWN_UNSEEN,
  /** Of two clients that drew one timestamp, one takes the other's write for its own. */
  FOREIGN_WRITE_TAKEN;

  private final long seed;

  Defect() {
    this(1);
  }

  Defect(long seed) {
    this.seed = seed;
  }

  /** Where to begin the search: one that few histories show is soon met from here. */
  long seed() {
    return seed;
  }
}
