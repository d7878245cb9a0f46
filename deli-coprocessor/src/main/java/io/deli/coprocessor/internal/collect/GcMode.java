package io.deli.coprocessor.internal.collect;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** When the entries of dying versions are deleted. */
public enum GcMode {
  /** While the base table compacts. */
  STREAMING,
  /** In a pass of its own ahead of every compaction: DELI's baseline. */
  BEFORE,
  /** After every compaction, from the file it wrote; the next compaction drops the versions. */
  STAGED,
  /** Never: HBase drops what it likes and the index keeps garbage. */
  OFF;

  /** The mode of that name, as users write it. */
  static Optional<GcMode> named(String name) {
    return Arrays.stream(values())
        .filter(mode -> mode.name().equals(name.toUpperCase(Locale.ROOT)))
        .findAny();
  }
}
