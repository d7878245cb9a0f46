package io.deli.lab.fault;

import io.deli.service.Flush;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Threads;

/**
 * Alterations of tables in use. Each is made, used for a while in which the table flushes, and
 * taken back, so that files of both kinds are there. Retention is altered on the base table only,
 * and keeps no less than before: what clients may see stays the same, but for versions that deletes
 * of single ones uncover.
 */
record SchemaFaults(FaultTarget target) {
  private static final Duration LENGTH = Duration.ofSeconds(4);
  private static final int MIN_DAYS = 3;
  private static final int DAY_SECONDS = 86_400;
  private static final List<Algorithm> COMPRESSIONS = List.of(Algorithm.NONE, Algorithm.GZ);
  private static final List<DataBlockEncoding> ENCODINGS =
      List.of(DataBlockEncoding.NONE, DataBlockEncoding.FAST_DIFF, DataBlockEncoding.PREFIX);
  private static final List<MemoryCompactionPolicy> IN_MEMORY_COMPACTIONS =
      List.of(
          MemoryCompactionPolicy.NONE, MemoryCompactionPolicy.BASIC, MemoryCompactionPolicy.EAGER);
  private static final List<BloomType> BLOOMS =
      List.of(BloomType.NONE, BloomType.ROW, BloomType.ROWCOL);

  private interface Alteration {
    void of(ColumnFamilyDescriptor family, ColumnFamilyDescriptorBuilder altered, Random random);
  }

  List<Fault> all() {
    return List.of(
        alteration(
            "TTL", true, (f, to, r) -> to.setTimeToLive((MIN_DAYS + r.nextInt(3)) * DAY_SECONDS)),
        // Of a family that keeps all of them there are no more.
        alteration(
            "VERSIONS",
            true,
            (f, to, r) -> to.setMaxVersions(Math.max(f.getMaxVersions(), f.getMaxVersions() + 2))),
        alteration(
            "compression",
            false,
            (f, to, r) -> to.setCompressionType(other(f.getCompressionType(), r, COMPRESSIONS))),
        alteration(
            "encoding",
            false,
            (f, to, r) -> to.setDataBlockEncoding(other(f.getDataBlockEncoding(), r, ENCODINGS))),
        alteration(
            "in-memory compaction",
            false,
            (f, to, r) ->
                to.setInMemoryCompaction(
                    other(f.getInMemoryCompaction(), r, IN_MEMORY_COMPACTIONS))),
        alteration(
            "Bloom filter",
            false,
            (f, to, r) -> to.setBloomFilterType(other(f.getBloomFilterType(), r, BLOOMS))),
        alteration("block size", false, (f, to, r) -> to.setBlocksize(1024 << r.nextInt(6))),
        Fault.of("alteration of memstore flush size", this::flushSize));
  }

  private static <T> T other(T present, Random random, List<T> all) {
    List<T> others = new ArrayList<>(all);
    others.remove(present);
    return Fault.any(others, random);
  }

  private Fault alteration(String name, boolean ofBase, Alteration alteration) {
    return Fault.of(
        "alteration of " + name,
        random ->
            alter(
                ofBase,
                random,
                (present, altered) -> {
                  for (ColumnFamilyDescriptor family : present.getColumnFamilies()) {
                    ColumnFamilyDescriptorBuilder builder =
                        ColumnFamilyDescriptorBuilder.newBuilder(family);
                    alteration.of(family, builder, random);
                    altered.modifyColumnFamily(builder.build());
                  }
                }));
  }

  private void flushSize(Random random) throws IOException {
    alter(
        false,
        random,
        (present, altered) -> altered.setMemStoreFlushSize((1L + random.nextInt(4)) << 20));
  }

  private interface Change {
    void make(TableDescriptor present, TableDescriptorBuilder altered);
  }

  private void alter(boolean ofBase, Random random, Change change) throws IOException {
    try (Admin admin = target.connection().getAdmin()) {
      TableName table = ofBase ? target.base() : TableFaults.any(admin, target.base(), random);
      TableDescriptor present = admin.getDescriptor(table);
      TableDescriptorBuilder altered = TableDescriptorBuilder.newBuilder(present);
      change.make(present, altered);
      admin.modifyTable(altered.build());
      try {
        Fault.require(
            !admin.getDescriptor(table).equals(present), "%s was not altered".formatted(table));
        Threads.sleepWithoutInterrupt(LENGTH.toMillis());
        Flush.table(admin, table);
      } finally {
        restore(admin, present);
      }
    }
  }

  /** Values are as they are by now, of which indexes are part. */
  private static void restore(Admin admin, TableDescriptor former) throws IOException {
    TableDescriptorBuilder restored =
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(former.getTableName()));
    for (ColumnFamilyDescriptor family : former.getColumnFamilies()) {
      restored.modifyColumnFamily(family);
    }
    restored.removeValue(Bytes.toBytes(TableDescriptorBuilder.MEMSTORE_FLUSHSIZE));
    admin.modifyTable(restored.build());
  }
}
