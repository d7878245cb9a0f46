package io.deli.coprocessor.internal.postinglist;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class RowLocksTest {
  private static final List<ByteBuffer> ROW = List.of(ByteBuffer.wrap(Bytes.toBytes("r")));
  private static final List<ByteBuffer> NONE = List.of();

  /** Beyond which a lock of Java's cannot be held. */
  private static final int MOST_HOLDS = 65_535;

  private final RowLocks locks = new RowLocks(100);

  @AutoClose("shutdownNow")
  private final ExecutorService other = Executors.newSingleThreadExecutor();

  private void lockElsewhere(List<ByteBuffer> alone, List<ByteBuffer> shared) throws Exception {
    try {
      other
          .submit(
              () -> {
                locks.lock(alone, shared);
                return null;
              })
          .get();
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  @Test
  void sharersWaitForThoseAloneAndTheyForSharers() throws Exception {
    locks.lock(NONE, ROW);
    assertThatCode(() -> lockElsewhere(NONE, ROW)).doesNotThrowAnyException();
    locks.unlock();
    assertThatThrownBy(() -> locks.lock(ROW, NONE)).isInstanceOf(RegionTooBusyException.class);
    lockElsewhere(ROW, NONE);
    assertThatThrownBy(() -> locks.lock(NONE, ROW)).isInstanceOf(RegionTooBusyException.class);
    other.submit(locks::unlock).get();
    assertThatCode(() -> locks.lock(ROW, ROW)).doesNotThrowAnyException();
    assertThatThrownBy(() -> lockElsewhere(NONE, ROW)).isInstanceOf(RegionTooBusyException.class);
  }

  @Test
  void aBatchMayWriteARowAnyNumberOfTimes() {
    assertThatCode(() -> locks.lock(NONE, nCopies(MOST_HOLDS + 1, ROW.get(0))))
        .doesNotThrowAnyException();
  }
}
