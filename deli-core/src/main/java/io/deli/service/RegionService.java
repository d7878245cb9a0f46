package io.deli.service;

import static com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type.TYPE_BYTES;
import static com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type.TYPE_INT32;
import static com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type.TYPE_INT64;
import static com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type.TYPE_MESSAGE;
import static com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type.TYPE_STRING;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.strategy.IndexDefinitions;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;

/** The endpoint's methods and messages; specified in the package documentation. */
public final class RegionService {
  private static final int VERSION = 1;
  private static final String VERSION_FIELD = "version";

  public static final ServiceDescriptor DESCRIPTOR = file().getServices().get(0);

  /** The part of the table's descriptor that clients of its indexes need. */
  public static final MethodDescriptor DESCRIBE = DESCRIPTOR.findMethodByName("Describe");

  /**
   * Looks into an entry whose version a reader did not see, and deletes it if nothing in the base
   * table can justify it, or its index is not asked for what is superseded, and its writer cannot
   * be in flight any more. The answer does not tell, for a reader may not be allowed to see what
   * the region sees; nor is the delete waited for.
   */
  public static final MethodDescriptor REPAIR = DESCRIPTOR.findMethodByName("Repair");

  /**
   * Tells how many versions the region's last compactions kept although HBase would have dropped
   * them, since the deletes of their entries were not acknowledged, or could not be told; and when
   * each indexed family was last compacted whole: 0 if never, the greatest number if without files.
   */
  public static final MethodDescriptor KEPT = DESCRIPTOR.findMethodByName("Kept");

  /**
   * Deletes those of many entries that nothing in the base table can justify, and of several of one
   * version under different write ids all but one, as far as their writers cannot be in flight any
   * more. The answer comes when they are gone. It names those whose rows are in other regions, or
   * for which the time did not suffice, and does not tell what became of the rest.
   */
  public static final MethodDescriptor SWEEP = DESCRIPTOR.findMethodByName("Sweep");

  /**
   * Tells which of many entries nothing in the region can justify, and deletes none: for region
   * servers only, which drop them from an index table's files. Entries of other regions are not
   * among them.
   */
  public static final MethodDescriptor STALE = DESCRIPTOR.findMethodByName("Stale");

  /**
   * Carries out scans, one after the other, of the regions of the table that the region's server
   * has, in the order of their keys, as HBase's scans do: each under its own read point, with all
   * hooks. The answer has the ranges that were read to their end; a server stops at the limit of
   * rows, when it has collected {@code hbase.client.scanner.max.result.size} bytes, and before the
   * request's time is up. Of several scans it may answer for some only: those that fail, or find it
   * busy with the others for long, are for the client to ask by themselves.
   */
  public static final MethodDescriptor SCAN = DESCRIPTOR.findMethodByName("Scan");

  /**
   * Puts entries and, only when all are written, the rows that they are of, all in regions of the
   * region's server. The answer tells of each row whether it was written, as a bit.
   */
  public static final MethodDescriptor WRITE = DESCRIPTOR.findMethodByName("Write");

  /**
   * Counts a version if the region has any, whoever may read it, and else none. Anybody may ask, as
   * HBase tells anybody the sizes of regions.
   */
  public static final MethodDescriptor PRESENT = DESCRIPTOR.findMethodByName("Present");

  /** The message without content. */
  public static final Message NOTHING = inVersion(DESCRIBE.getInputType()).build();

  private RegionService() {}

  static DynamicMessage.Builder inVersion(Descriptor type) {
    return DynamicMessage.newBuilder(type).setField(type.findFieldByName(VERSION_FIELD), VERSION);
  }

  private static int version(Message message) {
    int version = (Integer) field(message, VERSION_FIELD);
    return version == 0 ? 1 : version;
  }

  /**
   * Refuses what a client of another version may ask.
   *
   * @throws IllegalArgumentException if it does
   */
  public static void requireKnown(Message request) {
    if (version(request) != VERSION) {
      throw new IllegalArgumentException(
          "a request in version %d; this DELI answers version %d: upgrade the region servers first"
              .formatted(version(request), VERSION));
    }
  }

  /** An empty message of a type, for the answer to be read into. */
  public static Message prototype(Descriptor type) {
    return DynamicMessage.getDefaultInstance(type);
  }

  /** The answer to {@link #DESCRIBE}: families and index definitions, and nothing else. */
  public static Message describe(TableDescriptor table) {
    Descriptor type = DESCRIBE.getOutputType();
    return inVersion(type)
        .setField(
            type.findFieldByName("descriptor"),
            ByteString.copyFrom(
                TableDescriptorBuilder.toByteArray(IndexDefinitions.publicPart(table))))
        .build();
  }

  /**
   * Reads the answer to {@link #DESCRIBE}.
   *
   * @throws DeserializationException if it is no table descriptor, or of another version
   */
  public static TableDescriptor description(Message answer) throws DeserializationException {
    if (version(answer) != VERSION) {
      throw new DeserializationException(
          "an answer in version %d; this DELI reads version %d: upgrade DELI here"
              .formatted(version(answer), VERSION));
    }
    return TableDescriptorBuilder.parseFrom(bytes(answer, "descriptor"));
  }

  /** The answer to {@link #KEPT}. */
  public static Message kept(long versions, List<Long> compacted) {
    Descriptor type = KEPT.getOutputType();
    return inVersion(type)
        .setField(type.findFieldByName("count"), versions)
        .setField(type.findFieldByName("compacted"), compacted)
        .build();
  }

  /** Reads the answer to {@link #KEPT}; empty if it does not tell, as from an older DELI. */
  public static List<Long> compacted(Message answer) {
    return ((List<?>) field(answer, "compacted")).stream().map(Long.class::cast).toList();
  }

  /** The answer to {@link #PRESENT}. */
  public static Message versions(long versions) {
    return kept(versions, List.of());
  }

  /** Reads the answer to {@link #KEPT}, or to {@link #PRESENT}. */
  public static long versions(Message answer) {
    return (Long) field(answer, "count");
  }

  /** An entry of an index that has no version in the base table, as far as a reader can see. */
  public record Suspect(String index, Entry entry) {
    /** The request of {@link #REPAIR}. */
    public Message toMessage() {
      Descriptor type = REPAIR.getInputType();
      return fields(entry, type)
          .setField(type.findFieldByName(VERSION_FIELD), VERSION)
          .setField(type.findFieldByName("index"), index)
          .build();
    }

    /**
     * Reads the request of {@link #REPAIR}.
     *
     * @throws IllegalArgumentException if it is no entry
     */
    public static Suspect of(Message request) {
      return new Suspect((String) field(request, "index"), RegionService.entry(request));
    }
  }

  /**
   * Entries of an index to be looked into; for {@link #SWEEP}, all that there are of a token, key
   * and timestamp come together.
   *
   * @param generation of the index, which the region must know as the one that is read
   */
  public record Entries(String index, int generation, List<Entry> entries) {
    public Entries {
      entries = List.copyOf(entries);
    }

    /** The request of {@link #SWEEP} and {@link #STALE}. */
    public Message toMessage() {
      Descriptor type = SWEEP.getInputType();
      FieldDescriptor repeated = type.findFieldByName("entry");
      DynamicMessage.Builder message =
          inVersion(type)
              .setField(type.findFieldByName("index"), index)
              .setField(type.findFieldByName("generation"), generation);
      for (Entry entry : entries) {
        message.addRepeatedField(repeated, fields(entry, repeated.getMessageType()).build());
      }
      return message.build();
    }

    /**
     * Reads the request of {@link #SWEEP} or {@link #STALE}.
     *
     * @throws IllegalArgumentException if one is no entry
     */
    public static Entries of(Message request) {
      List<?> entries = (List<?>) field(request, "entry");
      return new Entries(
          (String) field(request, "index"),
          (Integer) field(request, "generation"),
          entries.stream().map(entry -> entry((Message) entry)).toList());
    }
  }

  private static DynamicMessage.Builder fields(Entry entry, Descriptor type) {
    return DynamicMessage.newBuilder(type)
        .setField(type.findFieldByName("token"), ByteString.copyFrom(entry.token()))
        .setField(type.findFieldByName("key"), ByteString.copyFrom(entry.key()))
        .setField(type.findFieldByName("timestamp"), entry.timestamp())
        .setField(type.findFieldByName("write_id"), ByteString.copyFrom(entry.writeId().toBytes()));
  }

  private static Entry entry(Message fields) {
    byte[] key = bytes(fields, "key");
    long timestamp = (Long) field(fields, "timestamp");
    if (key.length == 0
        || key.length > HConstants.MAX_ROW_LENGTH
        || timestamp < 0
        || timestamp == HConstants.LATEST_TIMESTAMP) {
      throw new IllegalArgumentException(
          "no version has a row key of %d bytes and timestamp %d".formatted(key.length, timestamp));
    }
    return new Entry(
        bytes(fields, "token"), key, timestamp, WriteId.from(bytes(fields, "write_id")));
  }

  /** The answer to {@link #SWEEP}, or to {@link #STALE}: the positions of some of the entries. */
  public static Message positions(List<Integer> positions) {
    Descriptor type = SWEEP.getOutputType();
    return inVersion(type).setField(type.findFieldByName("position"), positions).build();
  }

  /** Reads the answer to {@link #SWEEP}, or to {@link #STALE}. */
  public static List<Integer> positions(Message answer) {
    return ((List<?>) field(answer, "position")).stream().map(Integer.class::cast).toList();
  }

  static Object field(Message message, String name) {
    return message.getField(message.getDescriptorForType().findFieldByName(name));
  }

  static byte[] bytes(Message message, String name) {
    return ((ByteString) field(message, name)).toByteArray();
  }

  private static FileDescriptor file() {
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("deli_region_service.proto")
            .setPackage("io.deli")
            .addAllMessageType(messages())
            .addAllMessageType(messagesOfScans())
            .addService(service())
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[0]);
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ServiceDescriptorProto service() {
    return ServiceDescriptorProto.newBuilder()
        .setName("DeliRegionService")
        .addMethod(method("Describe", "Nothing", "Table"))
        .addMethod(method("Repair", "Suspect", "Nothing"))
        .addMethod(method("Kept", "Nothing", "Versions"))
        .addMethod(method("Sweep", "Entries", "Positions"))
        .addMethod(method("Stale", "Entries", "Positions"))
        .addMethod(method("Scan", "ServerScans", "FoundRows"))
        .addMethod(method("Write", "ColocatedWrite", "WrittenRows"))
        .addMethod(method("Present", "Nothing", "Versions"))
        .build();
  }

  private static List<DescriptorProto> messages() {
    return List.of(
        message("Nothing", version(1)),
        message("Table", field(1, "descriptor", TYPE_BYTES), version(2)),
        message(
            "Suspect",
            field(1, "index", TYPE_STRING),
            field(2, "token", TYPE_BYTES),
            field(3, "key", TYPE_BYTES),
            field(4, "timestamp", TYPE_INT64),
            field(5, "write_id", TYPE_BYTES),
            version(6)),
        message(
            "Versions",
            field(1, "count", TYPE_INT64),
            version(2),
            repeated(field(3, "compacted", TYPE_INT64)).build()),
        message(
            "Entry",
            field(1, "token", TYPE_BYTES),
            field(2, "key", TYPE_BYTES),
            field(3, "timestamp", TYPE_INT64),
            field(4, "write_id", TYPE_BYTES)),
        message(
            "Entries",
            field(1, "index", TYPE_STRING),
            messages(2, "entry", "Entry"),
            field(3, "generation", TYPE_INT32),
            version(4)),
        message("Positions", repeated(field(1, "position", TYPE_INT32)).build(), version(2)),
        message(
            "ColocatedWrite",
            field(1, "entries", TYPE_BYTES),
            field(2, "entry_cells", TYPE_BYTES),
            field(3, "rows", TYPE_BYTES),
            field(4, "row_cells", TYPE_BYTES),
            version(5)),
        message("WrittenRows", field(1, "done", TYPE_BYTES), version(2)));
  }

  private static List<DescriptorProto> messagesOfScans() {
    return List.of(
        message(
            "Rows",
            field(1, "start", TYPE_BYTES),
            field(2, "stop", TYPE_BYTES),
            field(3, "cells", TYPE_BYTES)),
        message(
            "ServerScan",
            field(1, "scan", TYPE_BYTES),
            field(2, "limit", TYPE_INT32),
            messages(3, "range", "Rows")),
        message("ServerScans", messages(1, "scan", "ServerScan"), version(2)),
        message("Found", messages(1, "rows", "Rows")),
        message(
            "FoundRows", messages(1, "found", "Found"), field(2, "nanos", TYPE_INT64), version(3)));
  }

  private static DescriptorProto message(String name, FieldDescriptorProto... fields) {
    return DescriptorProto.newBuilder().setName(name).addAllField(List.of(fields)).build();
  }

  private static FieldDescriptorProto version(int number) {
    return field(number, VERSION_FIELD, TYPE_INT32).toBuilder()
        .setLabel(Label.LABEL_OPTIONAL)
        .build();
  }

  private static FieldDescriptorProto.Builder repeated(FieldDescriptorProto field) {
    return field.toBuilder().setLabel(Label.LABEL_REPEATED);
  }

  private static FieldDescriptorProto messages(int number, String name, String type) {
    return repeated(field(number, name, TYPE_MESSAGE)).setTypeName(type).build();
  }

  private static FieldDescriptorProto field(
      int number, String name, FieldDescriptorProto.Type type) {
    return FieldDescriptorProto.newBuilder()
        .setNumber(number)
        .setName(name)
        .setType(type)
        .setLabel(Label.LABEL_REQUIRED)
        .build();
  }

  private static MethodDescriptorProto method(String name, String input, String output) {
    return MethodDescriptorProto.newBuilder()
        .setName(name)
        .setInputType(input)
        .setOutputType(output)
        .build();
  }
}
