package io.deli.test.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import io.deli.client.internal.RegionClient;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.query.Box;
import io.deli.query.Point;
import io.deli.query.TokenRange;
import io.deli.service.ColocatedWrite;
import io.deli.service.RegionService;
import io.deli.service.ServerScan;
import io.deli.service.TokenScan;
import io.deli.test.fault.Proxies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.util.Bytes;

/** Reads that no DELI client asks for, of a table's endpoint and by attributes of scans. */
final class HostileRequests {
  private static final String SCAN = "deli.scan";
  private static final int ROWS = 60;
  private static final int VALUES = 5;

  private final HostileBytes bytes;
  private final Table table;
  private final String[] indexes;
  private final byte[] family;

  /**
   * @param table with rows {@code r0} and so on, of values {@code v0} and so on
   * @param indexes of the table
   */
  HostileRequests(HostileBytes bytes, Table table, byte[] family, String... indexes) {
    this.bytes = bytes;
    this.table = table;
    this.family = family;
    this.indexes = indexes;
  }

  private String index() {
    return bytes.oneIn(20) ? bytes.oneOf("", "missing", "ä\0") : bytes.oneOf(indexes);
  }

  private WriteId writeId() {
    return bytes.oneIn(2) ? WriteId.NONE : WriteId.of(bytes.number(), bytes.number());
  }

  private Entry entry() {
    return new Entry(bytes.known("v", VALUES), bytes.known("r", ROWS), bytes.number(), writeId());
  }

  private Message valid(MethodDescriptor method) throws IOException {
    if (method.equals(RegionService.REPAIR)) {
      return new RegionService.Suspect(index(), entry()).toMessage();
    }
    if (method.equals(RegionService.SWEEP) || method.equals(RegionService.STALE)) {
      List<Entry> entries = new ArrayList<>();
      for (int i = bytes.below(VALUES); i > 0; i--) {
        entries.add(entry());
      }
      int generation = bytes.oneIn(8) ? bytes.integer() : 1;
      return new RegionService.Entries(index(), generation, entries).toMessage();
    }
    if (method.equals(RegionService.SCAN)) {
      List<ServerScan> scans = new ArrayList<>();
      for (int i = bytes.below(VALUES); i >= 0; i--) {
        scans.add(serverScan());
      }
      return ServerScan.request(scans);
    }
    return method.equals(RegionService.WRITE) ? write() : RegionService.NOTHING;
  }

  /** Puts of rows that nobody reads, half of the times under indexes that are not theirs. */
  private Message write() throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = bytes.below(VALUES); i >= 0; i--) {
      byte[] column = Bytes.toBytes("v" + bytes.below(9));
      puts.add(
          new Put(Bytes.toBytes("w" + bytes.below(ROWS))).addColumn(family, column, 1, family));
    }
    RegionInfo region =
        table.getRegionLocator().getRegionLocation(puts.get(0).getRow()).getRegion();
    Message valid = ColocatedWrite.of(Map.of(), Map.of(region, puts)).toMessage();
    if (bytes.oneIn(2)) {
      return valid;
    }
    MultiRequest.Builder rows = ColocatedWrite.of(valid).rows().request().toBuilder();
    rows.getRegionActionBuilder(0)
        .getActionBuilderList()
        .forEach(action -> action.setIndex(bytes.integer()));
    return valid.toBuilder()
        .setField(
            valid.getDescriptorForType().findFieldByName("rows"),
            ByteString.copyFrom(rows.build().toByteArray()))
        .build();
  }

  private ServerScan serverScan() throws IOException {
    NavigableSet<byte[]> bounds = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = bytes.below(2 * VALUES); i > 0; i--) {
      bounds.add(bytes.known("r", ROWS));
    }
    List<ServerScan.Rows> ranges = new ArrayList<>();
    while (bounds.size() > 1) {
      ranges.add(new ServerScan.Rows(bounds.pollFirst(), bounds.pollFirst()));
    }
    return ServerScan.of(scan().setReversed(false).setLimit(1 + bytes.below(ROWS)), ranges);
  }

  /** A scan of all rows so many times, of which it returns none. */
  Message repeated(int times) throws IOException {
    Message request = scanOfNone(List.of(new ServerScan.Rows(new byte[0], new byte[0])));
    FieldDescriptor scans = request.getDescriptorForType().findFieldByName("scan");
    FieldDescriptor ranges = scans.getMessageType().findFieldByName("range");
    Message.Builder repeated = ((Message) request.getRepeatedField(scans, 0)).toBuilder();
    Object all = repeated.getRepeatedField(ranges, 0);
    for (int i = 1; i < times; i++) {
      repeated.addRepeatedField(ranges, all);
    }
    return request.toBuilder().setRepeatedField(scans, 0, repeated.build()).build();
  }

  /** Returns for how many of so many ranges without rows a scan is answered at once. */
  int answered(int all) throws IOException {
    List<ServerScan.Rows> ranges = new ArrayList<>();
    for (int i = 0; i < all; i++) {
      byte[] start = Bytes.toBytes("r1-%09d".formatted(i));
      ranges.add(new ServerScan.Rows(start, Bytes.add(start, start)));
    }
    Message answer =
        RegionClient.call(table, Bytes.toBytes("r1"), RegionService.SCAN, scanOfNone(ranges));
    return ServerScan.Answer.of(answer).found().get(0).size();
  }

  /** A scan for a value of the first index that no row has. */
  private Message scanOfNone(List<ServerScan.Rows> ranges) throws IOException {
    Scan scan = new Scan().setLimit(1);
    TokenRange none = TokenRange.only(Bytes.toBytes("no such value"));
    TokenScan.ask(
        List.of(scan),
        List.of(new TokenScan(indexes[0], none, OptionalInt.empty(), Optional.empty())));
    return ServerScan.request(List.of(ServerScan.of(scan, ranges)));
  }

  /** Whether the user is refused what a DELI client would ask, about the first index. */
  boolean isDenied(MethodDescriptor method, byte[] column) throws IOException {
    Entry entry = new Entry(Bytes.toBytes("v1"), Bytes.toBytes("r1"), 1, WriteId.NONE);
    Message request = RegionService.NOTHING;
    if (method == RegionService.REPAIR) {
      request = new RegionService.Suspect(indexes[0], entry).toMessage();
    } else if (method == RegionService.SWEEP || method == RegionService.STALE) {
      request = new RegionService.Entries(indexes[0], 1, List.of(entry)).toMessage();
    } else if (method == RegionService.SCAN) {
      Scan scan = new Scan().addColumn(family, column).setLimit(1);
      List<ServerScan.Rows> all = List.of(new ServerScan.Rows(new byte[0], new byte[0]));
      request = ServerScan.request(List.of(ServerScan.of(scan, all)));
    } else if (method == RegionService.WRITE) {
      RegionInfo region = table.getRegionLocator().getRegionLocation(entry.key()).getRegion();
      List<Put> rows = List.of(new Put(entry.key()).addColumn(family, column, column));
      request = ColocatedWrite.of(Map.of(), Map.of(region, rows)).toMessage();
    }
    try {
      Message answer = RegionClient.call(table, entry.key(), method, request);
      return method == RegionService.WRITE && ColocatedWrite.done(answer).isEmpty();
    } catch (AccessDeniedException e) {
      return true;
    }
  }

  /**
   * Calls a method of the endpoint, half of the times with bytes that are no request.
   *
   * @return the rows in its answer
   */
  List<Result> call(MethodDescriptor method) throws IOException {
    Message valid = valid(method);
    Message request =
        bytes.oneIn(2) ? valid : message(bytes.oneIn(8) ? bytes.any() : mutated(valid));
    return call(method, request);
  }

  List<Result> call(MethodDescriptor method, Message request) throws IOException {
    Message answer = RegionClient.call(table, bytes.known("r", ROWS), method, request);
    return method.equals(RegionService.SCAN)
        ? ServerScan.Answer.of(answer).found().stream()
            .flatMap(List::stream)
            .flatMap(rows -> rows.results().stream())
            .toList()
        : List.of();
  }

  /** Scans for a value of the first index, as often as told. */
  List<Result> conditions(int times, byte[] value) throws IOException {
    Scan scan = new Scan();
    TokenScan one =
        new TokenScan(indexes[0], TokenRange.only(value), OptionalInt.empty(), Optional.empty());
    TokenScan.ask(List.of(scan), Collections.nCopies(times, one));
    return rows(scan);
  }

  /** Makes attempts, none of which may be answered by a row. */
  void expectNothing(HostileAttempts attempts, int times) {
    List<MethodDescriptor> methods = RegionService.DESCRIPTOR.getMethods();
    for (int i = 0; i < times; i++) {
      MethodDescriptor method = methods.get(i % methods.size());
      attempts.make(method.getName(), () -> assertThat(call(method)).isEmpty());
      attempts.make("scan", () -> assertThat(read()).isEmpty());
    }
  }

  private byte[] mutated(Message valid) {
    return bytes.mutated(valid.toByteArray());
  }

  /** Bytes as a request, which HBase's client sends whatever they are. */
  private static Message message(byte[] raw) {
    return Proxies.of(
        Message.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "toByteArray" -> raw;
              case "toByteString" -> ByteString.copyFrom(raw);
              case "isInitialized" -> true;
              default -> throw new UnsupportedOperationException(method.toString());
            });
  }

  /** Scans, or gets a row, with an attribute that asks for values. */
  List<Result> read() throws IOException {
    Scan scan = scan();
    if (bytes.oneIn(8)) {
      Get get = new Get(Bytes.toBytes("r" + bytes.below(ROWS)));
      get.setAttribute(SCAN, scan.getAttribute(SCAN));
      return Stream.of(table.get(get)).filter(row -> !row.isEmpty()).toList();
    }
    return rows(scan);
  }

  private List<Result> rows(Scan scan) throws IOException {
    List<Result> found = new ArrayList<>();
    try (ResultScanner results = table.getScanner(scan)) {
      for (Result result : results) {
        found.add(result);
      }
    }
    return found;
  }

  private Scan scan() throws IOException {
    Scan scan = new Scan();
    List<TokenScan> anyOf = new ArrayList<>();
    for (int i = bytes.oneIn(4) ? VALUES : 1; i > 0; i--) {
      anyOf.add(new TokenScan(index(), range(), newest(), source()));
    }
    TokenScan.ask(List.of(scan), anyOf);
    if (bytes.oneIn(2)) {
      scan.setAttribute(SCAN, bytes.mutated(scan.getAttribute(SCAN)));
    } else if (bytes.oneIn(20)) {
      scan.setAttribute(SCAN, bytes.any());
    }
    if (bytes.oneIn(3)) {
      scan.addColumn(family, bytes.known("v", 9));
    }
    if (bytes.oneIn(6)) {
      scan.setReversed(true);
    }
    if (bytes.oneIn(6)) {
      scan.setBatch(1);
    }
    if (bytes.oneIn(6)) {
      scan.setRaw(true).readAllVersions();
    }
    if (bytes.oneIn(6)) {
      scan.setTimeRange(bytes.below(10), 10 + (long) bytes.below(100));
    }
    return scan.setLimit(bytes.oneOf(-1, 1, ROWS)).setCaching(ROWS);
  }

  private TokenRange range() {
    if (bytes.oneIn(3)) {
      return TokenRange.within(Box.around(List.of(point(), point())));
    }
    byte[] first = bytes.known("v", VALUES);
    return bytes.oneIn(2)
        ? TokenRange.only(first)
        : TokenRange.of(first, Optional.of(bytes.known("v", VALUES)).filter(e -> !bytes.oneIn(3)));
  }

  private Point point() {
    return new Point(bytes.coordinate(), bytes.coordinate());
  }

  private OptionalInt newest() {
    return bytes.oneIn(2) ? OptionalInt.empty() : OptionalInt.of(bytes.integer());
  }

  private Optional<String> source() {
    return bytes.oneIn(4) ? Optional.of(bytes.oneOf("exact", "ä".repeat(300))) : Optional.empty();
  }
}
