package io.deli.service;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.io.ByteArrayOutputStream;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;

/**
 * Puts of rows together with those of their entries; {@link RegionService#WRITE} requests them.
 *
 * @param entries to be written first
 * @param rows to be written only when all of the entries are
 */
public record ColocatedWrite(Batch entries, Batch rows) {
  private static final Codec CODEC = new KeyValueCodec();

  /**
   * Puts to regions of one server, as HBase's own requests have them.
   *
   * @param cells of the Puts in their order, as {@link KeyValueCodec} has them: without tags
   */
  public record Batch(MultiRequest request, byte[] cells) {
    private static Batch of(Map<RegionInfo, List<Put>> byRegion, Durability unlessGiven) {
      MultiRequest.Builder request = MultiRequest.newBuilder();
      ByteArrayOutputStream cells = new ByteArrayOutputStream();
      Codec.Encoder encoder = CODEC.getEncoder(cells);
      try {
        for (Map.Entry<RegionInfo, List<Put>> each : byRegion.entrySet()) {
          RegionAction.Builder actions = request.addRegionActionBuilder();
          actions.setRegion(
              RequestConverter.buildRegionSpecifier(
                  RegionSpecifierType.REGION_NAME, each.getKey().getRegionName()));
          for (Put put : each.getValue()) {
            actions.addAction(
                Action.newBuilder()
                    .setIndex(actions.getActionCount())
                    .setMutation(withoutCells(put, unlessGiven)));
            write(put, encoder);
          }
        }
        encoder.flush();
      } catch (IOException e) {
        throw new UncheckedIOException("memory takes all", e);
      }
      return new Batch(request.build(), cells.toByteArray());
    }

    private static MutationProto.Builder withoutCells(Put put, Durability unlessGiven)
        throws IOException {
      MutationProto.Builder proto = MutationProto.newBuilder();
      ProtobufUtil.toMutationNoData(MutationType.PUT, put, proto);
      return put.getDurability() == Durability.USE_DEFAULT
          ? proto.setDurability(ProtobufUtil.toDurability(unlessGiven))
          : proto;
    }

    private static void write(Put put, Codec.Encoder encoder) throws IOException {
      for (List<Cell> family : put.getFamilyCellMap().values()) {
        for (Cell cell : family) {
          encoder.write(cell);
        }
      }
    }

    @SuppressWarnings("deprecation") // what clients before HBase 2.4 set for RowMutations
    private static Batch of(Message message, String request, String cells) throws IOException {
      MultiRequest parsed = MultiRequest.parseFrom(RegionService.bytes(message, request));
      if (parsed.hasCondition()
          || !parsed.getRegionActionList().stream().allMatch(Batch::isPlain)) {
        throw new IllegalArgumentException("not Puts alone, each with its position");
      }
      return new Batch(parsed, RegionService.bytes(message, cells));
    }

    private static boolean isPlain(RegionAction region) {
      return !region.getAtomic()
          && !region.hasCondition()
          && IntStream.range(0, region.getActionCount())
              .allMatch(position -> isPlain(region.getAction(position), position));
    }

    /** The answer tells of an action by its index, as large a number as the client likes. */
    private static boolean isPlain(Action action, int position) {
      return action.getIndex() == position
          && action.getMutation().getMutateType() == MutationType.PUT
          && !action.hasGet()
          && !action.hasServiceCall();
    }

    public boolean isEmpty() {
      return request.getRegionActionCount() == 0;
    }

    /** The number of Puts. */
    public int size() {
      return request.getRegionActionList().stream().mapToInt(RegionAction::getActionCount).sum();
    }

    /** Which Puts an answer tells to be done, by their positions in the request. */
    public BitSet done(MultiResponse answer) {
      BitSet done = new BitSet();
      int before = 0;
      for (int i = 0; i < answer.getRegionActionResultCount(); i++) {
        for (ResultOrException each : answer.getRegionActionResult(i).getResultOrExceptionList()) {
          done.set(before + each.getIndex(), !each.hasException());
        }
        before += request.getRegionAction(i).getActionCount();
      }
      return done;
    }

    /** Returns a new scanner of the cells. */
    public CellScanner scanner() {
      return CODEC.getDecoder(new SingleByteBuff(ByteBuffer.wrap(cells)));
    }
  }

  /**
   * Encodes Puts by region, in the order of the regions. Nobody waits for the log to have the
   * entries, unless they say so themselves: it has them when it has the rows.
   */
  public static ColocatedWrite of(
      Map<RegionInfo, List<Put>> entries, Map<RegionInfo, List<Put>> rows) {
    return new ColocatedWrite(
        Batch.of(entries, Durability.ASYNC_WAL), Batch.of(rows, Durability.USE_DEFAULT));
  }

  /** The request. */
  public Message toMessage() {
    Descriptor type = RegionService.WRITE.getInputType();
    return RegionService.inVersion(type)
        .setField(type.findFieldByName("entries"), bytes(entries.request().toByteArray()))
        .setField(type.findFieldByName("entry_cells"), bytes(entries.cells()))
        .setField(type.findFieldByName("rows"), bytes(rows.request().toByteArray()))
        .setField(type.findFieldByName("row_cells"), bytes(rows.cells()))
        .build();
  }

  /**
   * Reads the request.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static ColocatedWrite of(Message message) {
    try {
      return new ColocatedWrite(
          Batch.of(message, "entries", "entry_cells"), Batch.of(message, "rows", "row_cells"));
    } catch (IOException e) {
      throw new IllegalArgumentException("not rows with entries: " + e.getMessage(), e);
    }
  }

  /** The answer: which Puts of rows are done, with their entries, by their positions. */
  public static Message answer(BitSet done) {
    Descriptor type = RegionService.WRITE.getOutputType();
    return RegionService.inVersion(type)
        .setField(type.findFieldByName("done"), bytes(done.toByteArray()))
        .build();
  }

  /** Reads the answer. */
  public static BitSet done(Message answer) {
    return BitSet.valueOf(RegionService.bytes(answer, "done"));
  }

  private static ByteString bytes(byte[] bytes) {
    return ByteString.copyFrom(bytes);
  }
}
