package io.deli.config;

import java.util.Locale;

/** The moment at which the index entries of dying versions are deleted. */
public enum GcMode {
  /** While the base table compacts. */
  STREAMING,
  /** Before every compaction, in a separate pass: DELI's baseline. */
  BEFORE,
  /** After every compaction, from the file it wrote; the next compaction drops the versions. */
  STAGED,
  /** Never: HBase drops what it likes and the index keeps garbage. */
  OFF;

  /** The name as users write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
