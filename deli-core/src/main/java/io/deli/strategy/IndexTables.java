package io.deli.strategy;

import io.deli.entry.EntryCodec;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;

/** The descriptor of an index table. */
public final class IndexTables {
  /**
   * HBase's setting of how long a major compaction keeps delete markers: a tombstone that stayed
   * would mask an entry that a build puts.
   */
  public static final String PURGE_DELETES = "hbase.hstore.time.to.purge.deletes";

  /** The name of the strategy whose format the table has; it tells an index table from others. */
  private static final String STRATEGY = "deli.strategy";

  /**
   * A lookup walks through half of a block, before it is encoded, to its first entry: of HBase's 64
   * KB some 350 entries.
   */
  private static final int BLOCK_BYTES = 16 << 10;

  private IndexTables() {}

  /**
   * Whether a table was made to hold an index. Earlier releases did not say so of all that they
   * made; those are known by their one family, as no other table has it.
   */
  public static boolean isIndexTable(TableDescriptor table) {
    ColumnFamilyDescriptor entries = table.getColumnFamily(EntryCodec.family());
    return table.getValue(STRATEGY) != null
        || (entries != null
            && table.getColumnFamilyCount() == 1
            && entries.getMaxVersions() == Integer.MAX_VALUE
            && entries.getDataBlockEncoding() == DataBlockEncoding.FAST_DIFF);
  }

  private static Optional<IndexStrategy> strategy(TableDescriptor table) {
    return Optional.ofNullable(table.getValue(STRATEGY)).flatMap(Strategies::find);
  }

  /**
   * Returns the strategy that merges the rows of an index table; empty if the table is none, or is
   * not merged.
   */
  public static Optional<IndexStrategy> mergingStrategy(TableDescriptor table) {
    return strategy(table).filter(strategy -> strategy.mergeTime() != MergeTime.NEVER);
  }

  /**
   * Whether a table is of an index whose stale entries go when the table itself is compacted, for
   * no compaction of the base table knows of them.
   */
  public static boolean dropsStaleEntries(TableDescriptor table) {
    return strategy(table).filter(strategy -> strategy.retraction().followsDeletes()).isPresent();
  }

  /**
   * Descriptor of the table for an index.
   *
   * <p>It keeps all versions, since only an explicit delete may end an entry, and never expires
   * any: garbage collection ends the entries of expired base cells, so that a later change of the
   * base's TTL stays right. It has no Bloom filter if it is read by scans only, and prefix-encodes
   * blocks, for neighbouring entries share their tokens. Compression is the base family's.
   */
  public static TableDescriptor descriptor(TableDescriptor base, IndexDefinition definition) {
    TableName name =
        IndexDefinitions.indexTable(
            base.getTableName(), definition.name(), definition.generation());
    ColumnFamilyDescriptor indexed = base.getColumnFamily(definition.column().family());
    if (indexed == null) {
      throw new InvalidIndexException(
          "index '%s': table %s has no column family '%s'"
              .formatted(
                  definition.name(),
                  base.getTableName(),
                  definition.column().toString().split(":", 2)[0]));
    }
    if (indexed.isMobEnabled()) {
      throw new InvalidIndexException(
          "index '%s': family '%s' of table %s stores values as MOB, which compactions do not see. Index a column of another family."
              .formatted(definition.name(), indexed.getNameAsString(), base.getTableName()));
    }
    boolean merges = Strategies.named(definition.strategy()).mergeTime() != MergeTime.NEVER;
    return TableDescriptorBuilder.newBuilder(name)
        .setValue(STRATEGY, definition.strategy())
        .setValue(PURGE_DELETES, "0")
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(EntryCodec.family())
                .setMaxVersions(Integer.MAX_VALUE)
                .setBloomFilterType(merges ? BloomType.ROW : BloomType.NONE)
                .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
                .setBlocksize(BLOCK_BYTES)
                .setCompressionType(indexed.getCompressionType())
                .setEncryptionType(indexed.getEncryptionType())
                .build())
        .build();
  }

  /**
   * Whether a table keeps entries until they are deleted, and lets them go then; not if nobody can
   * tell. One that does not misses rows in silence.
   */
  public static boolean keepsEntries(TableDescriptor table) {
    try {
      return keepsAll(table);
    } catch (IllegalArgumentException e) {
      // HBase reads settings that are none only when it needs them.
      return false;
    }
  }

  private static boolean keepsAll(TableDescriptor table) {
    ColumnFamilyDescriptor entries = table.getColumnFamily(EntryCodec.family());
    return entries != null
        && entries.getMaxVersions() == Integer.MAX_VALUE
        && entries.getTimeToLive() == HConstants.FOREVER
        && entries.getKeepDeletedCells() == KeepDeletedCells.FALSE
        && !entries.isNewVersionBehavior()
        && !entries.isMobEnabled()
        && isLogged(table);
  }

  private static boolean isLogged(TableDescriptor table) {
    return switch (table.getDurability()) {
      case USE_DEFAULT, SYNC_WAL, FSYNC_WAL -> true;
      case ASYNC_WAL, SKIP_WAL -> false;
    };
  }

  /**
   * A table for the next generation of an index, as the present one was altered since it was made,
   * but so that it {@link #keepsEntries}.
   *
   * @param made as it would be made without a present one
   */
  public static TableDescriptor following(TableDescriptor present, TableDescriptor made) {
    ColumnFamilyDescriptor fresh = made.getColumnFamily(EntryCodec.family());
    ColumnFamilyDescriptor altered =
        Optional.ofNullable(present.getColumnFamily(EntryCodec.family())).orElse(fresh);
    ColumnFamilyDescriptor entries =
        ColumnFamilyDescriptorBuilder.newBuilder(altered)
            .setMaxVersions(Integer.MAX_VALUE)
            .setTimeToLive(HConstants.FOREVER)
            .setKeepDeletedCells(KeepDeletedCells.FALSE)
            .setNewVersionBehavior(false)
            .setMobEnabled(false)
            .setEncryptionType(
                Optional.ofNullable(altered.getEncryptionType()).orElse(fresh.getEncryptionType()))
            .build();
    TableDescriptorBuilder following =
        TableDescriptorBuilder.newBuilder(TableDescriptorBuilder.copy(made.getTableName(), present))
            .removeColumnFamily(EntryCodec.family())
            .setColumnFamily(entries)
            .setDurability(isLogged(present) ? present.getDurability() : made.getDurability());
    made.getValues().forEach(following::setValue);
    return following.build();
  }
}
