package io.deli.service;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A scan of all regions of a table that one region server has; {@link RegionService#SCAN} requests
 * one or several.
 *
 * @param template of the scans; its first and last row do not count
 * @param limit of rows, at least one
 * @param ranges of row keys in order and apart, without rows; what other servers have of them is
 *     passed by
 */
public record ServerScan(ClientProtos.Scan template, int limit, List<Rows> ranges) {
  private static final Codec CODEC = new KeyValueCodec();

  /**
   * @throws IllegalArgumentException if there is no such scan
   */
  public ServerScan {
    ranges = List.copyOf(ranges);
    if (limit < 1 || template.getReversed()) {
      throw new IllegalArgumentException(
          "a scan of a region server's regions takes a limit and goes forwards");
    }
    byte[] end = HConstants.EMPTY_START_ROW;
    for (Rows range : ranges) {
      if (end == null
          || Bytes.compareTo(range.start(), end) < 0
          || (range.stop().length > 0 && Bytes.compareTo(range.start(), range.stop()) >= 0)) {
        throw new IllegalArgumentException(
            "the ranges of a scan of a region server's regions are in order and do not overlap");
      }
      // Behind the table's end there is none.
      end = range.stop().length > 0 ? range.stop() : null;
    }
  }

  /** Asks for as many rows as the scan's limit says. */
  public static ServerScan of(Scan scan, List<Rows> ranges) {
    try {
      return new ServerScan(ProtobufUtil.toScan(scan), scan.getLimit(), ranges);
    } catch (IOException e) {
      throw new UncheckedIOException("memory takes all", e);
    }
  }

  /** Returns a new scan, of all rows. */
  public Scan scan() throws IOException {
    return ProtobufUtil.toScan(template);
  }

  /**
   * Rows of a range of keys.
   *
   * @param start inclusive; empty for the table's first row
   * @param stop exclusive; empty for the table's end
   * @param cells of all rows of the range that the scan returns, as {@link KeyValueCodec} has them:
   *     without tags
   */
  public record Rows(byte[] start, byte[] stop, ByteString cells) {
    /** A range whose rows are not known. */
    public Rows(byte[] start, byte[] stop) {
      this(start, stop, ByteString.EMPTY);
    }

    /** Encodes rows, whose cells may be used otherwise afterwards. */
    public static Rows of(byte[] start, byte[] stop, List<Result> rows) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      Codec.Encoder encoder = CODEC.getEncoder(bytes);
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          encoder.write(cell);
        }
      }
      encoder.flush();
      return new Rows(start, stop, ByteString.copyFrom(bytes.toByteArray()));
    }

    /** The rows of this range and of the next one, which begins where this ends. */
    public Rows and(Rows next) {
      return new Rows(start, next.stop, cells.concat(next.cells));
    }

    /** Decodes the rows. */
    public List<Result> results() {
      Codec.Decoder decoder =
          CODEC.getDecoder(new SingleByteBuff(ByteBuffer.wrap(cells.toByteArray())));
      List<Result> results = new ArrayList<>();
      List<Cell> row = new ArrayList<>();
      try {
        while (decoder.advance()) {
          Cell cell = decoder.current();
          if (!row.isEmpty() && !CellUtil.matchingRows(row.get(0), cell)) {
            results.add(Result.create(row));
            row.clear();
          }
          row.add(cell);
        }
      } catch (IOException e) {
        throw new UncheckedIOException("not the cells of rows", e);
      }
      if (!row.isEmpty()) {
        results.add(Result.create(row));
      }
      return results;
    }
  }

  /**
   * The answer to {@link RegionService#SCAN}.
   *
   * @param found for each scan, rows of parts of its ranges, in order; none where it has to be
   *     asked by itself
   * @param nanos that the server took
   */
  public record Answer(List<List<Rows>> found, long nanos) {
    public Answer {
      found = List.copyOf(found);
    }

    public Message toMessage() {
      Descriptor type = RegionService.SCAN.getOutputType();
      FieldDescriptor repeated = type.findFieldByName("found");
      DynamicMessage.Builder message =
          RegionService.inVersion(type).setField(type.findFieldByName("nanos"), nanos);
      for (List<Rows> rows : found) {
        message.addRepeatedField(
            repeated, rows(rows, DynamicMessage.newBuilder(repeated.getMessageType()), "rows"));
      }
      return message.build();
    }

    /** Reads the answer. */
    public static Answer of(Message message) {
      return new Answer(
          messages(message, "found").map(found -> rows(found, "rows")).toList(),
          (Long) RegionService.field(message, "nanos"));
    }
  }

  /** The request, of at least one scan. */
  public static Message request(List<ServerScan> scans) {
    Descriptor type = RegionService.SCAN.getInputType();
    FieldDescriptor repeated = type.findFieldByName("scan");
    DynamicMessage.Builder message = RegionService.inVersion(type);
    for (ServerScan scan : scans) {
      message.addRepeatedField(repeated, scan.toMessage(repeated.getMessageType()));
    }
    return message.build();
  }

  private Message toMessage(Descriptor type) {
    return rows(
        ranges,
        DynamicMessage.newBuilder(type)
            .setField(type.findFieldByName("scan"), ByteString.copyFrom(template.toByteArray()))
            .setField(type.findFieldByName("limit"), limit),
        "range");
  }

  /**
   * Reads the request.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static List<ServerScan> of(Message request) {
    return messages(request, "scan").map(ServerScan::scan).toList();
  }

  private static ServerScan scan(Message message) {
    try {
      return new ServerScan(
          ClientProtos.Scan.parseFrom(RegionService.bytes(message, "scan")),
          (Integer) RegionService.field(message, "limit"),
          rows(message, "range"));
    } catch (IOException e) {
      throw new IllegalArgumentException("not a scan: " + e.getMessage(), e);
    }
  }

  private static Message rows(List<Rows> all, DynamicMessage.Builder message, String name) {
    FieldDescriptor repeated = message.getDescriptorForType().findFieldByName(name);
    Descriptor type = repeated.getMessageType();
    for (Rows rows : all) {
      message.addRepeatedField(
          repeated,
          DynamicMessage.newBuilder(type)
              .setField(type.findFieldByName("start"), ByteString.copyFrom(rows.start()))
              .setField(type.findFieldByName("stop"), ByteString.copyFrom(rows.stop()))
              .setField(type.findFieldByName("cells"), rows.cells())
              .build());
    }
    return message.build();
  }

  private static List<Rows> rows(Message message, String name) {
    return messages(message, name)
        .map(
            each ->
                new Rows(
                    RegionService.bytes(each, "start"),
                    RegionService.bytes(each, "stop"),
                    (ByteString) RegionService.field(each, "cells")))
        .toList();
  }

  private static Stream<Message> messages(Message message, String name) {
    return ((List<?>) RegionService.field(message, name)).stream().map(Message.class::cast);
  }
}
