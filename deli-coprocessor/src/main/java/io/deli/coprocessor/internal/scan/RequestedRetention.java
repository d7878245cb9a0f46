package io.deli.coprocessor.internal.scan;

import java.util.function.Supplier;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.regionserver.CustomizedScanInfoBuilder;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanOptions;

/**
 * The retention that a store's family and other coprocessors ask for in one rewrite, while HBase's
 * own scanner is told to keep everything. Coprocessors ahead of DELI's have had their say when it
 * is; those behind it are noticed by what they make of it.
 */
public final class RequestedRetention {
  // Nobody else says precisely this: who wants all and for ever says MAX_VALUE.
  private static final int ALL_VERSIONS = Integer.MAX_VALUE - 1;
  private static final long FOR_EVER = Long.MAX_VALUE - 1;

  /** Keeps what is deleted for the time to live, which is for ever. */
  private static final KeepDeletedCells DELETED = KeepDeletedCells.TTL;

  private final HStore store;
  private final Supplier<ScanInfo> settings;
  private final ScanOptions options;
  private final int versions;
  private final long ttl;
  private final KeepDeletedCells deleted;
  private final long timeToPurge;

  private RequestedRetention(HStore store, Supplier<ScanInfo> settings, ScanOptions options) {
    this.store = store;
    this.settings = settings;
    this.options = options;
    versions = options.getMaxVersions();
    ttl = options.getTTL();
    deleted = options.getKeepDeletedCells();
    // 0 is also what HBase's options say as long as nobody has set it, whatever the store's is.
    timeToPurge =
        options.getTimeToPurgeDeletes() == 0
            ? settings.get().getTimeToPurgeDeletes()
            : options.getTimeToPurgeDeletes();
  }

  /** Records the retention, and makes HBase's scanner keep everything. */
  public static RequestedRetention keepAll(HStore store, ScanOptions options) {
    return keepAll(store, store::getScanInfo, options);
  }

  static RequestedRetention keepAll(
      HStore store, Supplier<ScanInfo> settings, ScanOptions options) {
    RequestedRetention retention = new RequestedRetention(store, settings, options);
    options.setMaxVersions(ALL_VERSIONS);
    options.setKeepDeletedCells(DELETED);
    options.setTTL(FOR_EVER);
    options.setTimeToPurgeDeletes(FOR_EVER);
    return retention;
  }

  public boolean isOf(HStore other) {
    return store == other;
  }

  /** The requested retention; to be called when all coprocessors have changed the options. */
  public ScanInfo asked() {
    CustomizedScanInfoBuilder asked = new CustomizedScanInfoBuilder(settings.get());
    asked.setMaxVersions(
        options.getMaxVersions() == ALL_VERSIONS ? versions : options.getMaxVersions());
    asked.setMinVersions(options.getMinVersions());
    asked.setTTL(options.getTTL() == FOR_EVER ? ttl : options.getTTL());
    asked.setKeepDeletedCells(
        options.getKeepDeletedCells() == DELETED ? deleted : options.getKeepDeletedCells());
    asked.setTimeToPurgeDeletes(
        options.getTimeToPurgeDeletes() == FOR_EVER
            ? timeToPurge
            : options.getTimeToPurgeDeletes());
    return asked.build();
  }
}
