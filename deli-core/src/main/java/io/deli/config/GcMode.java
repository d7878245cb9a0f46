package io.deli.config;

import java.util.Locale;

/** When the index entries of dying versions are deleted. */
public enum GcMode {
  /** While the base table compacts. */
  STREAMING,
  /** In a pass of its own ahead of every compaction: DELI's baseline. */
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
