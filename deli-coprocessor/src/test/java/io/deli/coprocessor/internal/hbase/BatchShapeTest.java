package io.deli.coprocessor.internal.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BatchShapeTest {
  private static final BatchShape CONDITIONAL = new BatchShape(1, 1, true, false, false);
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final BatchShape APART = new BatchShape(1, 1, false, true, false);
  private static final Action GET = Action.getDefaultInstance();

  private static BatchShape shape(RegionAction... batches) {
    return BatchShape.of(
        MultiRequest.newBuilder().addAllRegionAction(List.of(batches)).build(),
        Bytes.toBytes("r"),
        ROW);
  }

  private static RegionAction batch(String region, Action... actions) {
    return RegionAction.newBuilder()
        .setRegion(region(region))
        .addAllAction(List.of(actions))
        .build();
  }

  private static RegionSpecifier region(String name) {
    return RegionSpecifier.newBuilder()
        .setType(RegionSpecifierType.REGION_NAME)
        .setValue(ByteString.copyFromUtf8(name))
        .build();
  }

  private static Action of(MutationType type) {
    return of(type, "row");
  }

  private static Action of(MutationType type, String row) {
    return Action.newBuilder()
        .setMutation(
            MutationProto.newBuilder().setMutateType(type).setRow(ByteString.copyFromUtf8(row)))
        .build();
  }

  @Test
  void putsAndDeletesOfOneRegionAreSentTogether() {
    RegionAction two = batch("r", of(MutationType.PUT), of(MutationType.DELETE));
    assertThat(shape(two)).isEqualTo(new BatchShape(2, 1, false, true, false));
    assertThat(shape(batch("s", GET), two)).isEqualTo(shape(two));
    assertThat(shape(batch("r", of(MutationType.PUT), GET)).mayBeCut()).isTrue();
  }

  @Test
  void aRequestThatCameAsAPartOfAnotherHasItsShape() {
    byte[] region = Bytes.toBytes("r");
    MultiRequest part =
        MultiRequest.newBuilder().addRegionAction(batch("r", of(MutationType.PUT))).build();
    assertThat(BatchShape.during(part, () -> BatchShape.ofCall(region, ROW)))
        .isEqualTo(new BatchShape(1, 0, false, true, false));
    assertThat(BatchShape.ofCall(region, ROW)).isEqualTo(BatchShape.UNKNOWN);
  }

  @Test
  void batchesThatHBaseCutsAreSentOneByOne() {
    assertThat(shape(batch("r", of(MutationType.PUT), of(MutationType.APPEND))).mutations())
        .isEqualTo(1);
    assertThat(shape(batch("r", of(MutationType.PUT)), batch("r", of(MutationType.PUT))))
        .isEqualTo(APART);
  }

  /** By their rows, since HBase does not tell which of them it shows. */
  @Test
  void batchesOfConditionsAndRowMutationsAreThoseOfTheirRows() {
    RegionAction plain = batch("r", of(MutationType.PUT, "other"), of(MutationType.PUT));
    RegionAction conditional =
        batch("r", of(MutationType.PUT, "conditional")).toBuilder()
            .setCondition(Condition.newBuilder().setRow(ByteString.copyFromUtf8("conditional")))
            .build();
    RegionAction atomic = batch("r", of(MutationType.PUT, "atomic"));
    atomic = atomic.toBuilder().setAtomic(true).build();
    assertThat(shape(conditional, atomic, plain)).isEqualTo(shape(plain));
    assertThat(shape(plain).ofEach()).isTrue();
    RegionAction sameRow = batch("r", of(MutationType.DELETE), of(MutationType.PUT));
    assertThat(shape(plain, sameRow.toBuilder().setAtomic(true).build()))
        .isEqualTo(BatchShape.UNKNOWN);
    assertThat(
            shape(
                plain,
                sameRow.toBuilder().setAtomic(true).build(),
                sameRow.toBuilder().setCondition(conditional.getCondition()).build()))
        .isEqualTo(CONDITIONAL);
  }

  @Test
  void aRequestIsAskedForOneRegionAfterAnother() {
    RegionAction atomic = batch("s", of(MutationType.PUT)).toBuilder().setAtomic(true).build();
    MultiRequest request =
        MultiRequest.newBuilder()
            .addRegionAction(batch("r", of(MutationType.PUT)))
            .addRegionAction(atomic)
            .build();
    for (int i = 0; i < 2; i++) {
      assertThat(BatchShape.of(request, Bytes.toBytes("r"), ROW).ofEach()).isTrue();
      assertThat(BatchShape.of(request, Bytes.toBytes("s"), ROW)).isEqualTo(BatchShape.UNKNOWN);
    }
  }

  /** The request is walked once, not once more for each of its batches. */
  @Test
  @Timeout(10)
  void aRequestWhoseBatchesAlternateBetweenRegions_isUnderstoodSoon() {
    MultiRequest.Builder request = MultiRequest.newBuilder();
    for (int i = 0; i < 30_000; i++) {
      request.addRegionAction(batch("r", of(MutationType.DELETE)));
      request.addRegionAction(batch("s", of(MutationType.PUT)).toBuilder().setAtomic(true));
    }
    MultiRequest built = request.build();
    for (int i = 0; i < 30_000; i++) {
      assertThat(BatchShape.of(built, Bytes.toBytes("r"), ROW)).isEqualTo(APART);
      assertThat(BatchShape.of(built, Bytes.toBytes("s"), ROW)).isEqualTo(BatchShape.UNKNOWN);
    }
    assertThat(BatchShape.of(built, Bytes.toBytes("t"), ROW)).isEqualTo(BatchShape.UNKNOWN);
  }

  @Test
  void aMutationWithoutRowMayBeOfAnyBatch() {
    Action bare =
        Action.newBuilder()
            .setMutation(MutationProto.newBuilder().setMutateType(MutationType.PUT))
            .build();
    RegionAction atomic = batch("r", bare).toBuilder().setAtomic(true).build();
    assertThat(shape(atomic, batch("r", of(MutationType.PUT)))).isEqualTo(BatchShape.UNKNOWN);
  }

  @Test
  @SuppressWarnings("deprecation") // it is what they set
  void oldClientsSetOneConditionForAllOfARequest() {
    MultiRequest request =
        MultiRequest.newBuilder()
            .addRegionAction(batch("r", of(MutationType.PUT)))
            .setCondition(Condition.newBuilder().setRow(ByteString.EMPTY))
            .build();
    assertThat(BatchShape.of(request, Bytes.toBytes("r"), ROW)).isEqualTo(CONDITIONAL);
  }

  @Test
  void servicesMayLockRows() {
    CoprocessorServiceCall service =
        CoprocessorServiceCall.newBuilder()
            .setRow(ByteString.EMPTY)
            .setServiceName("service")
            .setMethodName("method")
            .setRequest(ByteString.EMPTY)
            .build();
    Action call = Action.newBuilder().setServiceCall(service).build();
    assertThat(shape(batch("s", call), batch("r", of(MutationType.PUT)))).isEqualTo(CONDITIONAL);
    assertThat(BatchShape.of(CoprocessorServiceRequest.getDefaultInstance(), new byte[0], ROW))
        .isEqualTo(CONDITIONAL);
  }

  /**
   * So does a newer HBase with requests of another kind: timestamps are drawn again more often, and
   * no write is hidden.
   */
  @Test
  void requestsOfAnUnknownKindMayLockRows() {
    assertThat(BatchShape.of(GetRequest.getDefaultInstance(), new byte[0], ROW))
        .isEqualTo(CONDITIONAL);
    assertThat(BatchShape.of(null, new byte[0], ROW)).isEqualTo(CONDITIONAL);
    assertThat(BatchShape.of(MutateRequest.getDefaultInstance(), new byte[0], ROW))
        .isEqualTo(BatchShape.UNKNOWN);
  }
}
