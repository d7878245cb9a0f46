package io.deli.test.gc;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Draws family settings and writes. Timestamps are few, so that they tie, and far from the edges of
 * time-to-live, so that no clock tick decides a test.
 */
record RetentionHistory(Random random, Set<Trait> traits, long now) {
  /** What a history has, or has not; not all go together. */
  enum Trait {
    /**
     * Nothing that makes HBase's own answer depend on when it flushed: no deletes of one exact
     * version, no cells with a time to live of their own.
     */
    CALM,
    /** NEW_VERSION_BEHAVIOR; without kept deleted cells, with which HBase's assertions fail. */
    NEW_VERSIONS,
    /**
     * Windows smaller than rows. The delete markers of a row cut into pieces may stay when HBase
     * would purge them, and mask what is written later with an older timestamp, as they do in HBase
     * before it purges them; so nothing is written with an older one.
     */
    CUT,
    /** Collected in a pass ahead of each compaction. */
    BEFORE,
    /**
     * Collected after each compaction. What dies stays in the files until the next, with the
     * markers of its row; so nothing is written with an older timestamp, as in rows that are cut.
     */
    STAGED,
    /** Collected with failures; nothing is written with an older timestamp, for the same reason. */
    FAULTY,
    /**
     * Cells in the column without a name, where family markers are, too. HBase that keeps deleted
     * cells counts them as versions of that column and loses them; so it does not keep any.
     */
    NAMELESS_COLUMN
  }

  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] INDEXED = Bytes.toBytes("q");
  private static final byte[] OTHER = Bytes.toBytes("p");
  private static final byte[] NAMELESS = new byte[0];
  private static final long TTL_MILLIS = TimeUnit.HOURS.toMillis(1);
  private static final int TIMESTAMPS = 6;
  private static final int VALUES = 4;

  boolean has(Trait trait) {
    return traits.contains(trait);
  }

  ColumnFamilyDescriptor family() {
    int versions = 1 + random.nextInt(3);
    boolean expires = random.nextInt(3) == 0;
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
            .setMaxVersions(versions)
            .setKeepDeletedCells(
                expires || has(Trait.NEW_VERSIONS) || has(Trait.NAMELESS_COLUMN)
                    ? KeepDeletedCells.FALSE
                    : pick(KeepDeletedCells.FALSE, KeepDeletedCells.TRUE, KeepDeletedCells.TTL))
            .setInMemoryCompaction(
                pick(
                    MemoryCompactionPolicy.NONE,
                    MemoryCompactionPolicy.BASIC,
                    MemoryCompactionPolicy.EAGER))
            .setNewVersionBehavior(has(Trait.NEW_VERSIONS));
    if (expires) {
      family
          .setTimeToLive((int) TimeUnit.MILLISECONDS.toSeconds(TTL_MILLIS))
          .setMinVersions(random.nextInt(versions));
    }
    return family.build();
  }

  @SafeVarargs
  private <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** Some writes to one row at a step. */
  List<Mutation> writes(byte[] row, int step) {
    List<Mutation> writes = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      writes.add(random.nextInt(3) == 0 ? delete(row, timestamp(step)) : put(row, step));
    }
    return writes;
  }

  long windowBytes() {
    return has(Trait.CUT) ? 1 + random.nextInt(600) : 1 << 20;
  }

  Mode mode() {
    return has(Trait.STAGED) ? Mode.STAGED : has(Trait.BEFORE) ? Mode.BEFORE : Mode.STREAMING;
  }

  private long timestamp(int step) {
    if (has(Trait.CUT) || has(Trait.STAGED) || has(Trait.FAULTY)) {
      return now - TTL_MILLIS / 2 + (long) step * TIMESTAMPS + random.nextInt(TIMESTAMPS);
    }
    long age = random.nextInt(6) == 0 ? 3 * TTL_MILLIS : TTL_MILLIS / 2;
    return now - age + random.nextInt(TIMESTAMPS);
  }

  private byte[] other() {
    return has(Trait.NAMELESS_COLUMN) && random.nextBoolean() ? NAMELESS : OTHER;
  }

  private Put put(byte[] row, int step) {
    Put put = new Put(row);
    byte[] value = Bytes.toBytes("v" + random.nextInt(VALUES));
    if (random.nextInt(4) > 0) {
      put.addColumn(FAMILY, INDEXED, timestamp(step), value);
    }
    if (random.nextBoolean() || put.isEmpty()) {
      put.addColumn(FAMILY, other(), timestamp(step), value);
    }
    if (!has(Trait.CALM) && random.nextInt(6) == 0) {
      put.setTTL(random.nextBoolean() ? TTL_MILLIS : 24 * TTL_MILLIS);
    }
    return put;
  }

  private Delete delete(byte[] row, long timestamp) {
    Delete delete = new Delete(row);
    byte[] column = random.nextInt(3) > 0 ? INDEXED : other();
    switch (random.nextInt(has(Trait.CALM) ? 2 : 4)) {
      case 0 -> delete.addFamily(FAMILY, timestamp);
      case 1 -> delete.addColumns(FAMILY, column, timestamp);
      case 2 -> delete.addColumn(FAMILY, column, timestamp);
      default -> delete.addFamilyVersion(FAMILY, timestamp);
    }
    return delete;
  }
}
