package io.deli.test.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.coprocessor.internal.scan.ForwardingScanner;
import io.deli.test.cluster.TestObserver;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compactions that die: before they read anything, after each part that they read, and when all is
 * read and acknowledged but the new file is not yet the store's.
 */
class KilledCompactionTest {
  private static final int ROWS = 150;

  /** Fails the compaction once the one before it has given so many parts of its rows. */
  private static final class Dying extends ForwardingScanner {
    private int left;

    private Dying(InternalScanner scanner, int parts) {
      super(scanner);
      this.left = parts;
    }

    @Override
    public boolean next(List<Cell> out, ScannerContext context) throws IOException {
      if (left-- == 0) {
        throw new IOException("killed");
      }
      boolean more = scanner.next(out, context);
      if (!more) {
        Killer.reachedEnd = true;
        throw new IOException("killed at the end");
      }
      return true;
    }
  }

  /** Loaded behind DELI's observer. */
  public static final class Killer implements TestObserver {
    static volatile int parts = Integer.MAX_VALUE;
    static volatile boolean armed;
    static volatile boolean reachedEnd;

    @Override
    public InternalScanner compacted(InternalScanner scanner) {
      return armed ? new Dying(scanner, parts) : scanner;
    }
  }

  @ParameterizedTest
  @EnumSource
  void loseNothingAndAreMadeUpFor(Mode mode) throws Exception {
    try (CompactedTable table =
        mode.create(
            "killed",
            1,
            "coprocessor$9",
            "|" + Killer.class.getName() + "|2000000000|",
            "deli.gc.window.bytes",
            "1000")) {
      for (int row = 0; row < ROWS; row++) {
        table.write("row" + row, 1, "old" + row);
        table.write("row" + row, 2, "new" + row);
      }
      table.flush();
      Killer.reachedEnd = false;
      int kills = 0;
      Killer.armed = true;
      try {
        while (!Killer.reachedEnd) {
          Killer.parts = kills++;
          assertThatThrownBy(() -> table.region().compact(true)).hasMessageContaining("killed");
          assertThat(table.raw()).hasSize(2 * ROWS);
          assertThat(table.entrySet()).containsAll(table.justified());
        }
      } finally {
        Killer.armed = false;
      }
      assertThat(kills).isGreaterThan(3);
      table.major();
      assertThat(table.raw()).hasSize(ROWS);
      assertThat(table.entrySet()).isEqualTo(table.justified()).hasSize(ROWS);
    }
  }
}
