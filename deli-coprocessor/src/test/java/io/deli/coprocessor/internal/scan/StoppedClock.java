package io.deli.coprocessor.internal.scan;

import static io.deli.coprocessor.internal.scan.Cells.NOW;

import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests during which HBase's clock stands still. */
abstract class StoppedClock {
  @BeforeEach
  void stopTheClock() {
    EnvironmentEdgeManager.injectEdge(() -> NOW);
  }

  @AfterEach
  void releaseTheClock() {
    EnvironmentEdgeManager.reset();
  }
}
