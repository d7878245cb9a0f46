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
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
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
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;

/**
 * Puts and Deletes of rows together with their entries; {@link RegionService#WRITE} requests them.
 *
 * @param entries to be written first
 * @param rows to be written only when all of the entries are
 */
public record ColocatedWrite(Batch entries, Batch rows) {
  private static final Codec CODEC = new KeyValueCodec();

  /**
   * Mutations of regions of one server, as HBase's own requests have them.
   *
   * @param cells of the mutations in their order, as {@link KeyValueCodec} has them: without tags
   */
  public record Batch(MultiRequest request, byte[] cells) {
    private static Batch of(Map<RegionInfo, List<Mutation>> byRegion, Durability unlessGiven) {
      MultiRequest.Builder request = MultiRequest.newBuilder();
      ByteArrayOutputStream cells = new ByteArrayOutputStream();
      Codec.Encoder encoder = CODEC.getEncoder(cells);
      try {
        for (Map.Entry<RegionInfo, List<Mutation>> each : byRegion.entrySet()) {
          RegionAction.Builder actions = request.addRegionActionBuilder();
          actions.setRegion(
              RequestConverter.buildRegionSpecifier(
                  RegionSpecifierType.REGION_NAME, each.getKey().getRegionName()));
          for (Mutation mutation : each.getValue()) {
            actions.addAction(
                Action.newBuilder()
                    .setIndex(actions.getActionCount())
                    .setMutation(withoutCells(mutation, unlessGiven)));
            write(mutation, encoder);
          }
        }
        encoder.flush();
      } catch (IOException e) {
        throw new UncheckedIOException("memory takes all", e);
      }
      return new Batch(request.build(), cells.toByteArray());
    }

    private static MutationProto.Builder withoutCells(Mutation mutation, Durability unlessGiven)
        throws IOException {
      MutationType type = mutation instanceof Put ? MutationType.PUT : MutationType.DELETE;
      MutationProto.Builder proto = MutationProto.newBuilder();
      ProtobufUtil.toMutationNoData(type, mutation, proto);
      return mutation.getDurability() == Durability.USE_DEFAULT
          ? proto.setDurability(ProtobufUtil.toDurability(unlessGiven))
          : proto;
    }

    private static void write(Mutation mutation, Codec.Encoder encoder) throws IOException {
      for (List<Cell> family : mutation.getFamilyCellMap().values()) {
        for (Cell cell : family) {
          encoder.write(cell);
        }
      }
    }

    private static Batch of(Message message, String request, String cells) throws IOException {
      return new Batch(
          MultiRequest.parseFrom(RegionService.bytes(message, request)),
          RegionService.bytes(message, cells));
    }

    /** Whether an answer tells of all mutations that they are done. */
    public boolean isDone(MultiResponse answer) {
      return answer.getRegionActionResultList().stream()
              .mapToInt(region -> done(region).cardinality())
              .sum()
          == request.getRegionActionList().stream().mapToInt(RegionAction::getActionCount).sum();
    }

    /** Returns a new scanner of the cells. */
    public CellScanner scanner() {
      return CODEC.getDecoder(new SingleByteBuff(ByteBuffer.wrap(cells)));
    }
  }

  /**
   * Encodes mutations by region, in the order of the regions. Nobody waits for the log to have the
   * entries, unless they say so themselves: it has them when it has the rows.
   */
  public static ColocatedWrite of(
      Map<RegionInfo, List<Mutation>> entries, Map<RegionInfo, List<Mutation>> rows) {
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

  /**
   * The answer: what became of the rows.
   *
   * @param rows without results if they were not begun
   */
  public static Message answer(MultiResponse rows) {
    Descriptor type = RegionService.WRITE.getOutputType();
    return RegionService.inVersion(type)
        .setField(type.findFieldByName("rows"), bytes(rows.toByteArray()))
        .build();
  }

  /**
   * Reads the answer: of each region the rows' mutations that are done, by their positions; of
   * fewer regions if no mutation of the others was begun.
   */
  public static List<BitSet> done(Message answer) {
    try {
      return MultiResponse.parseFrom(RegionService.bytes(answer, "rows"))
          .getRegionActionResultList()
          .stream()
          .map(ColocatedWrite::done)
          .toList();
    } catch (IOException e) {
      throw new IllegalArgumentException("not an answer for rows: " + e.getMessage(), e);
    }
  }

  private static BitSet done(RegionActionResult region) {
    BitSet done = new BitSet();
    for (ResultOrException each : region.getResultOrExceptionList()) {
      done.set(each.getIndex(), !each.hasException());
    }
    return done;
  }

  private static ByteString bytes(byte[] bytes) {
    return ByteString.copyFrom(bytes);
  }
}
