package io.deli.fileindex.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.fileindex.internal.blocks.StoreIndex.Last;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.junit.jupiter.api.Test;

class StoreIndexTest {
  private final List<HStoreFile> files = new ArrayList<>();
  private final GlobalIndex global = new GlobalIndex(Map.of());
  private final Last last = new Last(files, global);

  /** Else it drops the indexes of files that every lookup uses. */
  @Test
  void theCacheIsAskedNowAndThenWhoeverAsks() {
    for (int use = 1; use < Last.USES; use++) {
      assertThat(last.of(files)).containsSame(global);
    }
    // A lookup asks once to tell that there is nothing, and again if that is not plain.
    assertThat(last.of(files)).isEmpty();
    assertThat(last.of(files)).isEmpty();
  }

  @Test
  void itIsOfJustThoseFiles() {
    assertThat(last.of(new ArrayList<>(files))).isEmpty();
  }
}
