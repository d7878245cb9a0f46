package io.deli.test.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreConfigInformation;
import org.apache.hadoop.hbase.regionserver.compactions.RatioBasedCompactionPolicy;

/**
 * A compaction policy that never acts by itself and, asked for a minor compaction, takes two files
 * out of three or more: the oldest ones or the newest ones, by turns.
 */
@SuppressWarnings("NonApiType") // as in HBase
public final class PartialCompactions extends RatioBasedCompactionPolicy {
  public PartialCompactions(Configuration conf, StoreConfigInformation store) {
    super(conf, store);
  }

  @Override
  public boolean needsCompaction(Collection<HStoreFile> files, List<HStoreFile> compacting) {
    return false;
  }

  @Override
  protected ArrayList<HStoreFile> applyCompactionPolicy(
      ArrayList<HStoreFile> files, boolean mayUseOffPeak, boolean mayBeStuck) {
    int size = files.size();
    if (size < 3) {
      return new ArrayList<>();
    }
    return new ArrayList<>(size % 2 == 0 ? files.subList(0, 2) : files.subList(size - 2, size));
  }

  @Override
  protected ArrayList<HStoreFile> checkMinFilesCriteria(ArrayList<HStoreFile> files, int minFiles) {
    return files;
  }
}
