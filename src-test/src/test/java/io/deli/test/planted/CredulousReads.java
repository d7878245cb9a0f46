package io.deli.test.planted;

import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.index.EntryOrder;
import io.deli.lab.torture.TortureWorkload;
import io.deli.strategy.IndexDefinitions;
import io.deli.test.cluster.AsyncConnectionOfHBase;
import io.deli.test.fault.Proxies;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer.ScanController;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.security.User;

/**
 * Reads of a client that compares entries with the base by timestamp alone: where the base has a
 * version of an entry's timestamp, it is believed to have the entry's value. To be named by {@code
 * hbase.client.async.connection.impl}, for a table under torture.
 */
public final class CredulousReads extends AsyncConnectionOfHBase {
  /** Setting that names the base table. */
  static final String BASE = "deli.test.credulous";

  private final TableName base;
  private final Map<TableName, EntryCodec> indexes;

  /** Values that entries promise. */
  private final ConcurrentMap<Version, byte[]> promised = new ConcurrentHashMap<>();

  private record Version(ByteBuffer row, long timestamp) {}

  /** As HBase 2.5 calls it. */
  public CredulousReads(
      Configuration configuration, ConnectionRegistry registry, String clusterId, User user) {
    this(configuration, registry, clusterId, user, Map.of());
  }

  /** As newer HBase calls it. */
  public CredulousReads(
      Configuration configuration,
      ConnectionRegistry registry,
      String clusterId,
      User user,
      Map<String, byte[]> attributes) {
    super(configuration, registry, clusterId, user, attributes);
    base = TableName.valueOf(configuration.get(BASE));
    indexes =
        Map.of(
            IndexDefinitions.indexTable(base, TortureWorkload.BY_KEY),
                new EntryCodec(EntryOrder.BY_KEY),
            IndexDefinitions.indexTable(base, TortureWorkload.BY_TIME),
                new EntryCodec(EntryOrder.BY_TIME));
  }

  @Override
  public AsyncTable<AdvancedScanResultConsumer> getTable(TableName name) {
    AsyncTable<AdvancedScanResultConsumer> table = super.getTable(name);
    EntryCodec codec = indexes.get(name);
    if (codec != null) {
      return changing(table, rows -> each(rows, row -> remembered(codec, row)));
    }
    return name.equals(base) ? believed(table) : table;
  }

  private static List<Result> each(List<Result> rows, UnaryOperator<Result> change) {
    return rows.stream().map(change).toList();
  }

  private Result remembered(EntryCodec codec, Result row) {
    for (Cell cell : row.rawCells()) {
      Entry entry = codec.decode(cell);
      promised.put(new Version(ByteBuffer.wrap(entry.key()), entry.timestamp()), entry.token());
    }
    return row;
  }

  private Result believed(Result row) {
    List<Cell> cells = new ArrayList<>();
    for (Cell cell : row.rawCells()) {
      byte[] value = promised.get(new Version(ByteBuffer.wrap(row.getRow()), cell.getTimestamp()));
      cells.add(value == null ? cell : with(value, cell));
    }
    return cells.isEmpty() ? row : Result.create(cells);
  }

  private static Cell with(byte[] value, Cell cell) {
    return CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY)
        .setRow(CellUtil.cloneRow(cell))
        .setFamily(CellUtil.cloneFamily(cell))
        .setQualifier(CellUtil.cloneQualifier(cell))
        .setTimestamp(cell.getTimestamp())
        .setType(cell.getType())
        .setValue(value)
        .build();
  }

  @SuppressWarnings("unchecked")
  private AsyncTable<AdvancedScanResultConsumer> believed(
      AsyncTable<AdvancedScanResultConsumer> table) {
    return (AsyncTable<AdvancedScanResultConsumer>)
        Proxies.of(
            AsyncTable.class,
            table,
            "getAll",
            (self, method, arguments) ->
                table
                    .getAll((List<Get>) arguments[0])
                    .thenApply(rows -> each(rows, this::believed)));
  }

  /** The table, with the rows changed that its scans bring. */
  @SuppressWarnings("unchecked")
  static AsyncTable<AdvancedScanResultConsumer> changing(
      AsyncTable<AdvancedScanResultConsumer> table, UnaryOperator<List<Result>> change) {
    return (AsyncTable<AdvancedScanResultConsumer>)
        Proxies.of(
            AsyncTable.class,
            table,
            "scan",
            (self, method, arguments) -> {
              table.scan(
                  (Scan) arguments[0], changing((AdvancedScanResultConsumer) arguments[1], change));
              return null;
            });
  }

  private static AdvancedScanResultConsumer changing(
      AdvancedScanResultConsumer consumer, UnaryOperator<List<Result>> change) {
    return Proxies.of(
        AdvancedScanResultConsumer.class,
        consumer,
        "onNext",
        (self, method, arguments) -> {
          List<Result> changed = change.apply(List.of((Result[]) arguments[0]));
          consumer.onNext(changed.toArray(Result[]::new), (ScanController) arguments[1]);
          return null;
        });
  }
}
