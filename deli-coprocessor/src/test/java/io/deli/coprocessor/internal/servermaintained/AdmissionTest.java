package io.deli.coprocessor.internal.servermaintained;

import static io.deli.coprocessor.internal.servermaintained.LockedBatches.FAMILY;
import static io.deli.coprocessor.internal.servermaintained.LockedBatches.atomic;
import static io.deli.coprocessor.internal.servermaintained.LockedBatches.batch;
import static io.deli.coprocessor.internal.servermaintained.LockedBatches.codes;
import static io.deli.coprocessor.internal.servermaintained.LockedBatches.drawn;
import static io.deli.coprocessor.internal.servermaintained.LockedBatches.increment;
import static io.deli.coprocessor.internal.servermaintained.LockedBatches.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.service.DrawnTimestamp;
import io.deli.service.TimestampRefusal;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdmissionTest extends AdmittingRegion {
  @AfterEach
  void releaseTheClock() {
    EnvironmentEdgeManager.reset();
  }

  private static RowWrite write(Mutation mutation) {
    return new RowWrite(0, List.of(mutation));
  }

  @Test
  void whereNoneIsExpected_theFirstDrawnTimestampIsRefused_andRowsAreNotedFromThenOn()
      throws Exception {
    Admission unnoted = new Admission(TableName.valueOf("t"), this, marks, AGES, true, false);
    unnoted.applied(batch(put("a", "q", 1_900)), false);
    MiniBatchOperationInProgress<Mutation> some = batch(drawn("a", 1_800), drawn("b", 2_000));
    now = 2_001;
    unnoted.admit(some);
    assertThat(codes(some)).containsExactly(REFUSED, REFUSED);
    now = 2_100;
    unnoted.applied(batch(put("a", "q", 2_050)), false);
    request = new Object();
    some = batch(drawn("a", 2_040), drawn("b", 2_040), drawn("c", 2_001));
    unnoted.admit(some);
    assertThat(codes(some)).containsExactly(REFUSED, ADMITTED, REFUSED);
  }

  @Test
  void whereNoneIsExpected_deletesAreNoted_forTheyWouldHideWhatIsComputed() {
    Admission unnoted = new Admission(TableName.valueOf("t"), this, marks, AGES, true, false);
    unnoted.applied(
        batch(new Delete(Bytes.toBytes("r")).addColumns(FAMILY, Bytes.toBytes("n"), now)), false);
    assertThatThrownBy(() -> unnoted.admit(batch(increment("n"))))
        .isInstanceOf(RegionTooBusyException.class);
  }

  /** Its writer has given it up, and repair may take its entry soon. */
  @Test
  void aWriteIsUntimelyWhenMostOfTheGraceHasPassed() {
    now = 2_000 + 6_000;
    assertThat(admission.isUntimely(2_000) || admission.isUntimely(now + 6_000)).isFalse();
    now++;
    assertThat(admission.isUntimely(2_000) && admission.isUntimely(now + 6_001)).isTrue();
  }

  /** A query that has begun may have passed its entry's place, and look back for less. */
  @Test
  void aTimestampIsNotAdmittedWhenQueriesMayNotLookBackForIt() throws Exception {
    now = 2_000 + 4_000;
    assertThat(admit(drawn("a", 2_000))).containsExactly(ADMITTED);
    now++;
    assertThat(admit(drawn("b", 2_000))).containsExactly(REFUSED);
  }

  /** Repair may take its entry. */
  @Test
  void aTimestampIsNotAdmittedWhenMostOfTheGraceHasPassed() {
    assertThat(WriteAges.of(8_000, 60_000)).isEqualTo(new WriteAges(6_000, 6_000));
    assertThat(WriteAges.of(600_000, 0).drawn()).isEqualTo(1_000);
  }

  @Test
  void aDrawnTimestamp_isNewerThanTheRowAndTheRegion_andNotAheadOfTheClock() throws Exception {
    assertThat(admit(drawn("a", 1_000), drawn("b", 1_001), drawn("c", 2_000), drawn("d", 2_001)))
        .containsExactly(REFUSED, ADMITTED, ADMITTED, REFUSED);
    assertThat(admitNext(drawn("c", 1_999))).containsExactly(REFUSED);
    assertThat(admitNext(drawn("b", 1_002))).containsExactly(ADMITTED);
  }

  @Test
  void aRefusal_tellsWhatToExceed() throws Exception {
    admit(drawn("r", 1_500));
    assertThat(refusal(drawn("r", 1_400))).isEqualTo(new TimestampRefusal(1_500, 2_000));
    assertThat(refusal(drawn("new", 900))).isEqualTo(new TimestampRefusal(1_000, 2_000));
    assertThatThrownBy(() -> admission.admit(batch(atomic("q", 1_450))))
        .isInstanceOf(FailedSanityCheckException.class)
        .hasMessageContainingAll("table t", "row 'r'", "1450", "newest=1500");
  }

  private TimestampRefusal refusal(Mutation mutation) throws Exception {
    MiniBatchOperationInProgress<Mutation> batch = batch(mutation);
    admission.admit(batch);
    String message = batch.getOperationStatus(0).getExceptionMsg();
    return TimestampRefusal.of(new FailedSanityCheckException(message)).orElseThrow();
  }

  @Test
  void theSameRequestOnceMore_isAdmitted() throws Exception {
    Put first = drawn("r", 1_500);
    admit(first);
    assertThat(admit(drawn("r", 1_500))).containsExactly(REFUSED);
    request = new Object();
    cells.addAll(first.get(FAMILY, Bytes.toBytes("q")));
    assertThat(admit(drawn("r", 1_500))).containsExactly(ADMITTED);
    Put other = drawn(put("r", "q", 1_500), 1_500);
    other.addColumn(FAMILY, Bytes.toBytes("more"), 1_500, Bytes.toBytes("v"));
    assertThat(admit(other)).containsExactly(REFUSED);
    request = new Object();
    Delete delete = new Delete(Bytes.toBytes("r")).addColumn(FAMILY, Bytes.toBytes("q"), 1_500);
    assertThat(admit(drawn(delete, 1_500))).containsExactly(REFUSED);
    request = new Object();
    Put value = new Put(other.getRow());
    value.addColumn(FAMILY, Bytes.toBytes("q"), 1_500, Bytes.toBytes("w"));
    assertThat(admit(drawn(value, 1_500))).containsExactly(REFUSED);
  }

  @Test
  void theRestOfARequestOfWhichHBaseHasComputedAPart_isDoneToo() throws Exception {
    apply(false, increment("n"), put("r", "q", 1_700));
    assertThat(admitRest(1_600)).as("not to be computed twice").containsOnly("SUCCESS");
  }

  @Test
  void theRestOfARequestOfWhichAnotherCoprocessorHasServedAPart_isAdmittedOrRefused()
      throws Exception {
    apply(false, increment("m"), put("r", "o", 1_500));
    assertThat(admitRest(1_600)).containsExactly("SUCCESS", ADMITTED, ADMITTED);
    assertThatThrownBy(() -> admitRest(1_600)).isInstanceOf(FailedSanityCheckException.class);
    assertThat(admitRest(1_000)).as("in a region that was recovered").containsOnly("SUCCESS");
  }

  private List<String> admitRest(long timestamp) throws Exception {
    Mutation[] all = {increment("n"), atomic("p", timestamp), atomic("q", timestamp)};
    MiniBatchOperationInProgress<Mutation> batch = batch(all);
    batch.setOperationStatus(0, OperationStatus.SUCCESS);
    admission.admit(batch);
    return codes(batch);
  }

  @Test
  void theSameFromBeforeTheRegionOpened_isRefused() throws Exception {
    for (long timestamp : new long[] {900, 1_000}) {
      request = new Object();
      apply(false, put("r", "q", timestamp));
      cells.addAll(put("r", "q", timestamp).get(FAMILY, Bytes.toBytes("q")));
      assertThat(admit(drawn("r", timestamp))).containsExactly(REFUSED);
    }
  }

  @Test
  void rowsOfLoadedFiles_areOlderThanWhatIsDrawnAfterwards() throws Exception {
    admission.loading(1_500);
    admission.loading(1_200);
    assertThat(admit(drawn("a", 1_500), drawn("b", 1_501))).containsExactly(REFUSED, ADMITTED);
    assertThat(refusal(drawn("c", 1_400))).isEqualTo(new TimestampRefusal(1_500, 2_000));
    admission.loading(1_999);
    assertThatThrownBy(() -> admission.loading(2_000)).isInstanceOf(RegionTooBusyException.class);
  }

  @Test
  void mutationsOfAnAtomicOne_haveOneTimestamp() throws Exception {
    assertThat(admit(atomic("p", 1_500), atomic("q", 1_500))).containsExactly(ADMITTED, ADMITTED);
    assertThatThrownBy(() -> admitNext(atomic("p", 1_500), atomic("q", 1_500)))
        .isInstanceOf(FailedSanityCheckException.class);
    cells.addAll(put("r", "p", 1_500).get(FAMILY, Bytes.toBytes("p")));
    assertThatThrownBy(() -> admitNext(atomic("p", 1_500), atomic("q", 1_500)))
        .isInstanceOf(FailedSanityCheckException.class);
    cells.addAll(put("r", "q", 1_500).get(FAMILY, Bytes.toBytes("q")));
    assertThat(admitNext(atomic("p", 1_500), atomic("q", 1_500)))
        .containsExactly(ADMITTED, ADMITTED);
    assertThat(admit(drawn("s", 1_600), drawn("s", 1_600))).containsExactly(ADMITTED, REFUSED);
  }

  @Test
  void whatWasComputed_concernsItsColumns() throws Exception {
    apply(false, increment("n"));
    assertThat(admit(drawn(put("r", "n", 2_000), 2_000))).containsExactly(REFUSED);
    assertThat(admitNext(drawn("r", 2_000))).containsExactly(ADMITTED);
    assertThat(admission.isOvertaken(write(put("r", "n", 2_000)), 2_000)).isTrue();
    assertThat(admission.isOvertaken(write(put("r", "o", 2_000)), 2_000)).isFalse();
  }

  @Test
  void whatWasConditional_overtakesAllOfItsRow() {
    apply(true, put("r", "q", 1_500));
    assertThat(admission.isOvertaken(write(put("r", "o", 1_500)), 1_500)).isTrue();
    assertThat(admission.isOvertaken(write(put("r", "o", 1_501)), 1_501)).isFalse();
    apply(true, increment("n"));
    assertThat(admission.isOvertaken(write(put("r", "o", 2_000)), 2_000)).isTrue();
    apply(false, put("s", "q", 1_500));
    assertThat(admission.isOvertaken(write(put("s", "o", 1_500)), 1_500)).isFalse();
  }

  /** One from the future keeps nobody out. */
  @Test
  void timestampsOfTheApplication_areNotedUpToTheClock() throws Exception {
    Put given = put("r", "a", 1_700);
    given.addColumn(FAMILY, Bytes.toBytes("b"), 1_600, Bytes.toBytes("v"));
    given.addColumn(FAMILY, Bytes.toBytes("c"), 2_000_000, Bytes.toBytes("v"));
    apply(false, given);
    assertThat(admit(drawn("r", 1_700))).containsExactly(REFUSED);
    assertThat(admitNext(drawn("r", 1_701))).containsExactly(ADMITTED);
    apply(false, put("s", "q", 2_000));
    assertThat(admit(drawn("s", 2_000))).containsExactly(REFUSED);
  }

  @Test
  void whatFailed_isNotNoted() throws Exception {
    MiniBatchOperationInProgress<Mutation> batch = batch(put("r", "q", 1_500));
    batch.setOperationStatus(0, OperationStatus.FAILURE);
    admission.applied(batch, false);
    assertThat(admit(drawn("r", 1_500))).containsExactly(ADMITTED);
  }

  /** What HBase computes has the time of the clock, and a delete of that time would hide it. */
  @Test
  void anIncrement_atTheMomentOfADelete_isTriedAgain() throws Exception {
    Mutation[] alone = {increment("n")};
    Mutation[] together = {increment("n"), put("r", "o", HConstants.LATEST_TIMESTAMP)};
    for (long timestamp : new long[] {1_998, 1_999, 2_000}) {
      Delete delete =
          new Delete(Bytes.toBytes("r")).addColumns(FAMILY, Bytes.toBytes("q"), timestamp);
      assertThat(admit(drawn(delete, timestamp))).containsExactly(ADMITTED);
      // Of a batch that HBase applies as a whole, it passes over statuses.
      for (Mutation[] one : List.of(alone, together)) {
        if (timestamp == 1_998) {
          assertThat(admit(one)).containsOnly(ADMITTED);
        } else {
          assertThatThrownBy(() -> admit(one)).isInstanceOf(RegionTooBusyException.class);
        }
      }
      assertThat(admit(put("r", "o", HConstants.LATEST_TIMESTAMP))).containsExactly(ADMITTED);
    }
    now = 2_001;
    Delete own = new Delete(Bytes.toBytes("r")).addColumns(FAMILY, Bytes.toBytes("q"), now);
    assertThat(admit(drawn(own, now), increment("n"))).containsExactly(ADMITTED, ADMITTED);
    now = 1_999;
    assertThat(admit(increment("n"))).containsExactly(ADMITTED);
  }

  @Test
  void whatIsOff_admitsAll() throws Exception {
    Admission off = new Admission(TableName.valueOf("t"), this, marks, AGES, false, true);
    MiniBatchOperationInProgress<Mutation> batch = batch(drawn("r", 5_000), drawn("r", 1));
    off.admit(batch);
    off.applied(batch, true);
    assertThat(codes(batch)).containsExactly(ADMITTED, ADMITTED);
    assertThat(off.isOvertaken(write(put("r", "q", 1)), 1)).isFalse();
    AtomicInteger asked = new AtomicInteger();
    EnvironmentEdgeManager.injectEdge(
        () -> {
          asked.incrementAndGet();
          return 1_500;
        });
    off.await(drawn("r", 1_501));
    off.awaitComputed(Bytes.toBytes("r"));
    assertThat(asked).as("looks at the clock").hasValue(0);
  }

  @Test
  void aLeadOfMilliseconds_isWaitedFor() throws Exception {
    Put once = drawn("r", 1_502);
    Put repeated = put("r", "q", 1_502);
    DrawnTimestamp again = new DrawnTimestamp(1_502, false, true);
    again.setOn(repeated);
    assertThat(Admission.awaitedMillis(again)).isEqualTo(100);
    assertThat(Admission.awaitedMillis(DrawnTimestamp.of(once).orElseThrow())).isEqualTo(2);
    long[] asked = {0};
    EnvironmentEdgeManager.injectEdge(() -> 1_500 + asked[0]++ / 2);
    admission.await(once);
    assertThat(asked[0]).isGreaterThan(1);
    admission.await(put("r", "q", 5_000));
    long[] askedForDelete = {0};
    EnvironmentEdgeManager.injectEdge(() -> 1_500 + askedForDelete[0]++ / 2);
    admit(drawn(new Delete(Bytes.toBytes("r")), 1_501));
    begun(put("r", "q", 1_600));
    assertThat(askedForDelete[0]).isGreaterThan(1);
  }

  @Test
  void aTimestampDrawnHere_isNewerThanTheRow() throws Exception {
    EnvironmentEdgeManager.injectEdge(() -> 1_500);
    admit(drawn("r", 1_800));
    assertThat(admission.draw(Bytes.toBytes("r"))).isEqualTo(1_801);
    assertThat(admission.draw(Bytes.toBytes("s"))).isEqualTo(1_500);
  }

  @Test
  void aConditionalPut_isNotHiddenByTheFutureThatItsConditionRead() throws Exception {
    future = 9_000;
    Put put = begun(drawn("r", 1_600));
    assertThat(refusal(put)).isEqualTo(new TimestampRefusal(9_000, 2_000));
    assertThat(refusal(begun(drawn("ahead", 2_001)))).isEqualTo(new TimestampRefusal(1_000, 2_000));
    assertThat(admit(begun(drawn(put("s", "p", 1_600), 1_600)))).containsExactly(ADMITTED);
    assertThat(admit(drawn("t", 1_600))).containsExactly(ADMITTED);
    assertThat(admitNext(put)).as("a late copy, without entries").containsExactly(REFUSED);
  }
}
