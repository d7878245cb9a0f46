package io.deli.coprocessor.internal.servermaintained;

import static io.deli.coprocessor.internal.servermaintained.LockedBatches.FAMILY;
import static io.deli.coprocessor.internal.servermaintained.LockedBatches.atomic;
import static io.deli.coprocessor.internal.servermaintained.LockedBatches.batch;
import static io.deli.coprocessor.internal.servermaintained.LockedBatches.codes;
import static io.deli.coprocessor.internal.servermaintained.LockedBatches.drawn;
import static io.deli.coprocessor.internal.servermaintained.LockedBatches.increment;
import static io.deli.coprocessor.internal.servermaintained.LockedBatches.latest;
import static io.deli.coprocessor.internal.servermaintained.LockedBatches.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.deli.coprocessor.internal.hbase.Refusal;
import io.deli.service.TimestampRefusal;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Later mutations of a row in the request that had one refused. */
class RefusedRowsTest extends AdmittingRegion {
  /** A client draws anew, in the same order, for all that it gave in one order. */
  @Test
  void behindARefusedMutation_thoseOfItsRowInTheRequestAreRefused() throws Exception {
    assertThat(admit(drawn("r", 2_001), drawn("r", 1_500), drawn("s", 1_500)))
        .containsExactly(REFUSED, REFUSED, ADMITTED);
    assertThat(admit(drawn("r", 1_600), drawn("s", 1_600))).containsExactly(REFUSED, ADMITTED);
    assertThat(admit(drawn("s", 2_001), drawn("r", 1_700))).containsExactly(REFUSED, REFUSED);
    assertThat(admitNext(drawn("r", 1_600))).containsExactly(ADMITTED);
  }

  @Test
  void behindARefusedAtomicOne_thoseOfItsRowInTheRequestAreRefused() throws Exception {
    assertThatThrownBy(() -> admit(atomic("q", 900)))
        .isInstanceOf(FailedSanityCheckException.class);
    assertThat(admit(drawn("r", 1_500), drawn("s", 1_500))).containsExactly(REFUSED, ADMITTED);
  }

  @Test
  void behindARefusedMutation_whatReadsItsRowInTheRequestIsRefused() throws Exception {
    assertThat(admit(drawn("r", 2_001))).containsExactly(REFUSED);
    for (ThrowingCallable reading :
        List.<ThrowingCallable>of(() -> begun(put("r", "q", 1_600)), () -> admit(increment("n")))) {
      assertThat(TimestampRefusal.of(catchThrowable(reading)))
          .contains(new TimestampRefusal(1_000, 2_000));
    }
    begun(put("s", "q", 1_600));
    request = new Object();
    begun(put("r", "q", 1_600));
    assertThat(admit(increment("n"))).containsExactly(ADMITTED);
  }

  @Test
  void behindARefusedMutation_whatHasNoDrawnTimestampIsRefused() throws Exception {
    assertThat(admit(latest("q"), drawn("r", 2_001), latest("q"), drawn("s", 1_500)))
        .containsExactly(ADMITTED, REFUSED, REFUSED, ADMITTED);
    assertThat(admit(put("r", "q", 1_300), put("s", "q", 1_300)))
        .containsExactly(REFUSED, ADMITTED);
    MiniBatchOperationInProgress<Mutation> behind = batch(latest("q"));
    admission.admit(behind);
    Refusal.answer(behind);
    assertThat(
            TimestampRefusal.of(
                new FailedSanityCheckException(behind.getOperationStatus(0).getExceptionMsg())))
        .contains(new TimestampRefusal(1_000, 2_000));
    ofEach = false;
    assertThat(admit(drawn("r", 1_500), latest("q"))).containsExactly(REFUSED, REFUSED);
    assertThat(TimestampRefusal.of(catchThrowable(() -> admit(latest("q")))))
        .contains(new TimestampRefusal(1_000, 2_000));
    assertThat(admitNext(latest("q"))).containsExactly(ADMITTED);
  }

  /** Sent again, it would be computed twice: under another nonce, which HBase does not know. */
  @Test
  void theDeleteOfTheLatestVersion_besideAnIncrementThatIsDone_isNotRefused() throws Exception {
    assertThat(admit(drawn("r", 2_001))).containsExactly(REFUSED);
    MiniBatchOperationInProgress<Mutation> repeated = batch(latest("q"), increment("n"));
    repeated.setOperationStatus(1, OperationStatus.SUCCESS);
    ofEach = false;
    admission.admit(repeated);
    assertThat(codes(repeated)).containsExactly(ADMITTED, "SUCCESS");
  }

  @Test
  void aConditionalIncrement_behindARefusedMutation_isDoneIfHBaseKnowsIt() throws Exception {
    CheckAndMutate conditional =
        CheckAndMutate.newBuilder(Bytes.toBytes("r"))
            .ifNotExists(FAMILY, FAMILY)
            .build(increment("n"));
    assertThat(admit(drawn("r", 2_001))).containsExactly(REFUSED);
    admission.begin(conditional);
    assertThatThrownBy(() -> admit(increment("n"))).isInstanceOf(FailedSanityCheckException.class);
    MiniBatchOperationInProgress<Mutation> repeated = batch(increment("n"));
    repeated.setOperationStatus(0, OperationStatus.SUCCESS);
    admission.admit(repeated);
    admission.end(conditional, true);
  }

  @Test
  void aConditionalIncrement_behindARefusedMutation_failsFinallyOnlyIfItMayBeDone()
      throws Exception {
    CheckAndMutate conditional =
        CheckAndMutate.newBuilder(Bytes.toBytes("r"))
            .ifNotExists(FAMILY, FAMILY)
            .build(increment("n"));
    assertThat(admit(drawn("r", 1_000))).as("from before the region opened").contains(REFUSED);
    admission.end(conditional, false);
    request = new Object();
    apply(false, increment("m"), put("r", "o", 1_700));
    assertThat(admit(drawn("r", 1_600))).containsExactly(REFUSED);
    assertThat(TimestampRefusal.of(catchThrowable(() -> admission.end(conditional, false))))
        .contains(new TimestampRefusal(2_000, 2_000));
    apply(false, increment("n"));
    admission.end(conditional, false);
  }

  /** Be it that nobody writes to the region, and that the thread serves others only. */
  @Test
  @Timeout(10)
  void ofARequestThatHasEnded_nothingIsKept() throws Exception {
    List<WeakReference<byte[]>> rows = refuseMany();
    Admission other = new Admission(TableName.valueOf("other"), this, marks, AGES, true, true);
    while (rows.stream().anyMatch(row -> row.get() != null)) {
      System.gc();
      Thread.sleep(1);
      for (int i = 0; i < 1_000; i++) {
        request = new Object();
        other.admit(batch(drawn("s", 1_500)));
      }
    }
  }

  private List<WeakReference<byte[]>> refuseMany() throws Exception {
    List<WeakReference<byte[]>> rows = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      Mutation late = drawn("r" + i, 900);
      assertThat(admit(late)).containsExactly(REFUSED);
      rows.add(new WeakReference<>(late.getRow()));
    }
    return rows;
  }

  @Test
  void withoutARequest_nothingIsBehindARefusedMutation() throws Exception {
    request = null;
    assertThat(admit(drawn("r", 2_001))).containsExactly(REFUSED);
    assertThat(admit(drawn("r", 1_500))).containsExactly(ADMITTED);
  }
}
