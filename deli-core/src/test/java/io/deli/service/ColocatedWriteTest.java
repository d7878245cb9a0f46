package io.deli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.deli.service.ColocatedWrite.Batch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ColocatedWriteTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final RegionInfo FIRST =
      RegionInfoBuilder.newBuilder(TableName.valueOf("first")).build();
  private static final RegionInfo SECOND =
      RegionInfoBuilder.newBuilder(TableName.valueOf("second")).build();

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, 1, Bytes.toBytes(row));
  }

  private static Map<RegionInfo, List<Put>> regions(List<Put> first, List<Put> second) {
    Map<RegionInfo, List<Put>> regions = new LinkedHashMap<>();
    regions.put(FIRST, first);
    regions.put(SECOND, second);
    return regions;
  }

  private static MutationProto mutation(Batch batch, int region, int place) {
    return batch.request().getRegionAction(region).getAction(place).getMutation();
  }

  @Test
  void aRequestIsReadAsItWasWritten() throws Exception {
    Put forced = put("forced").setDurability(Durability.FSYNC_WAL);
    ColocatedWrite read =
        ColocatedWrite.of(
            ColocatedWrite.of(
                    regions(List.of(put("e1")), List.of(forced)),
                    regions(List.of(put("r1"), put("r2")), List.of(put("r3"))))
                .toMessage());
    assertThat(read.entries().size()).isEqualTo(2);
    assertThat(mutation(read.entries(), 0, 0).getDurability())
        .isEqualTo(MutationProto.Durability.ASYNC_WAL);
    assertThat(mutation(read.entries(), 1, 0).getDurability())
        .isEqualTo(MutationProto.Durability.FSYNC_WAL);
    assertThat(mutation(read.rows(), 0, 1).getDurability())
        .isEqualTo(MutationProto.Durability.USE_DEFAULT);
    assertThat(mutation(read.rows(), 0, 1)).asString().contains("r2");
    CellScanner cells = read.rows().scanner();
    for (String row : List.of("r1", "r2", "r3")) {
      assertThat(cells.advance()).isTrue();
      assertThat(CellUtil.cloneValue(cells.current())).isEqualTo(Bytes.toBytes(row));
    }
    assertThat(cells.advance()).isFalse();
  }

  @Test
  void anAnswerTellsOfEachPutByItsPosition() {
    Batch rows =
        ColocatedWrite.of(Map.of(), regions(List.of(put("r1"), put("r2")), List.of(put("r3"))))
            .rows();
    MultiResponse.Builder answer = MultiResponse.newBuilder();
    answer
        .addRegionActionResultBuilder()
        .addResultOrException(ResultOrException.newBuilder().setIndex(1))
        .addResultOrException(
            ResultOrException.newBuilder()
                .setIndex(0)
                .setException(NameBytesPair.newBuilder().setName("refused")));
    answer.addRegionActionResultBuilder().addResultOrExceptionBuilder().setIndex(0);
    assertThat(ColocatedWrite.done(ColocatedWrite.answer(rows.done(answer.build()))).stream())
        .containsExactly(1, 2);
    answer
        .getRegionActionResultBuilder(0)
        .clear()
        .setException(NameBytesPair.newBuilder().setName("the region is not here"));
    assertThat(rows.done(answer.build()).stream()).containsExactly(2);
    assertThat(rows.done(MultiResponse.getDefaultInstance()).isEmpty()).isTrue();
  }

  private static Message withEntries(Action.Builder action) {
    Message request = ColocatedWrite.of(regions(List.of(), List.of()), Map.of()).toMessage();
    MultiRequest.Builder entries = ColocatedWrite.of(request).entries().request().toBuilder();
    entries.getRegionActionBuilder(0).addAction(action);
    return DynamicMessage.newBuilder(request.getDescriptorForType())
        .mergeFrom(request)
        .setField(
            request.getDescriptorForType().findFieldByName("entries"),
            ByteString.copyFrom(entries.build().toByteArray()))
        .build();
  }

  @Test
  void whatIsNotAPutIsRefused() throws Exception {
    MutationProto.Builder delete = MutationProto.newBuilder().setMutateType(MutationType.DELETE);
    ClientProtos.Get get = ProtobufUtil.toGet(new Get(FAMILY));
    MutationProto put =
        mutation(
            ColocatedWrite.of(regions(List.of(put("r")), List.of()), Map.of()).entries(), 0, 0);
    for (Action.Builder each :
        List.of(
            Action.newBuilder().setMutation(delete),
            Action.newBuilder().setGet(get),
            Action.newBuilder().setMutation(put).setIndex(1),
            Action.newBuilder().setMutation(put).setIndex(Integer.MAX_VALUE))) {
      assertThatThrownBy(() -> ColocatedWrite.of(withEntries(each)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("not Puts alone, each with its position");
    }
  }
}
