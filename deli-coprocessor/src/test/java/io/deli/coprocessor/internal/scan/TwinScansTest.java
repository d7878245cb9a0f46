package io.deli.coprocessor.internal.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.service.TwinScan;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanDeleteTracker;
import org.junit.jupiter.api.Test;

class TwinScansTest {
  private final TwinScans scans = new TwinScans();
  private final DeleteTracker hbases = new ScanDeleteTracker(CellComparator.getInstance());

  @Test
  void tracker_ofAskingScan_replacesHBasesOnce() {
    scans.open(TwinScan.ask(new Scan().setRaw(true)));
    assertThat(CompletableFuture.supplyAsync(() -> scans.tracker(hbases)).join()).isSameAs(hbases);
    assertThat(scans.tracker(hbases)).isNotSameAs(hbases);
    assertThat(scans.tracker(hbases)).isSameAs(hbases);
  }

  @Test
  void tracker_behindScanThatFailed_isHBases() {
    scans.open(TwinScan.ask(new Scan().setRaw(true)));
    scans.open(new Scan());
    assertThat(scans.tracker(hbases)).isSameAs(hbases);
  }

  /** It would show what is deleted. */
  @Test
  void tracker_ofScanThatIsNotRaw_isHBases() {
    scans.open(TwinScan.ask(new Scan()));
    assertThat(scans.tracker(hbases)).isSameAs(hbases);
  }
}
