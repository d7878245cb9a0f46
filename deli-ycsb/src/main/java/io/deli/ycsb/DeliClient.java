package io.deli.ycsb;

import io.deli.client.ValueHit;
import io.deli.index.Column;
import io.deli.index.ValueType;
import io.deli.query.ValuePredicate;
import io.deli.query.ValuePredicate.Between;
import io.deli.query.ValuePredicate.Bound;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.query.ValuePredicate.Prefix;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/**
 * YCSB's binding to HBase with an index of DELI's, of any strategy, or without one.
 *
 * <p>Records, fields and the properties that it shares with YCSB's own HBase bindings are as there;
 * the module's README lists them all.
 */
@SuppressWarnings("NonApiType") // of YCSB's own interface
public class DeliClient extends DatabaseClient {
  private final Optional<Connection> given;
  private final Map<String, OpenTable> tables = new HashMap<>();
  private SharedConnection shared;
  private BindingOptions options;
  private ValueSource source;

  /** Creates the binding as YCSB does; the cluster is that of the class path and the properties. */
  public DeliClient() {
    this.given = Optional.empty();
  }

  /**
   * On a connection of the application's, which stays open. It is one of DELI's, unless the
   * strategy is {@code plain}. Table and index must be there as the properties say: neither is
   * created or checked.
   */
  public DeliClient(Connection connection) {
    this.given = Optional.of(connection);
  }

  @Override
  public void init() throws DBException {
    try {
      options = BindingOptions.of(getProperties());
      source =
          options.plain()
              ? new ScannedSource(
                  options.index().column(), options.index().type(), options.versions())
              : new IndexedSource(options.index().name(), options.versions());
      if (given.isEmpty()) {
        shared = SharedConnection.open(getProperties(), options.plain());
        try {
          new TableSetup(shared.connection(), options, getProperties()).run();
        } catch (IOException | RuntimeException e) {
          shared.close();
          throw e;
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new DBException(e.getMessage(), e);
    }
    ThreadBindings.enter(this);
  }

  /** Sends what is buffered. The last binding closes a connection that is its own. */
  @Override
  public void cleanup() throws DBException {
    ThreadBindings.leave(this);
    try {
      try {
        for (OpenTable table : tables.values()) {
          table.close();
        }
      } finally {
        if (given.isEmpty()) {
          shared.close();
        }
      }
    } catch (IOException e) {
      throw lost(e);
    }
  }

  @Override
  Status get(String table, String key, Set<String> fields, Map<String, ByteIterator> result)
      throws IOException {
    Get get = new Get(Bytes.toBytes(key));
    if (fields == null) {
      get.addFamily(options.family());
    } else {
      fields.forEach(field -> get.addColumn(options.family(), Bytes.toBytes(field)));
    }
    Result row = open(table).table().get(get);
    copy(row, result);
    return row.isEmpty() ? Status.NOT_FOUND : Status.OK;
  }

  @Override
  Status scan(RecordScan wanted, List<HashMap<String, ByteIterator>> result) throws IOException {
    Scan scan = new Scan().withStartRow(Bytes.toBytes(wanted.start())).setLimit(wanted.limit());
    if (wanted.fields() == null) {
      scan.addFamily(options.family());
    } else {
      wanted.fields().forEach(field -> scan.addColumn(options.family(), Bytes.toBytes(field)));
    }
    try (ResultScanner scanner = open(wanted.table()).table().getScanner(scan)) {
      for (Result row : scanner) {
        HashMap<String, ByteIterator> record = new HashMap<>();
        copy(row, record);
        result.add(record);
      }
    }
    return Status.OK;
  }

  @Override
  Status put(String table, String key, Map<String, ByteIterator> values) throws IOException {
    Put put = new Put(Bytes.toBytes(key)).setDurability(options.durability());
    values.forEach(
        (field, value) ->
            put.addColumn(options.family(), Bytes.toBytes(field), encode(field, value)));
    return open(table).write(put);
  }

  @Override
  Status remove(String table, String key) throws IOException {
    return open(table).write(new Delete(Bytes.toBytes(key)).setDurability(options.durability()));
  }

  @Override
  Status lookup(String table, ValueRead read, List<HashMap<String, ByteIterator>> result)
      throws IOException {
    read.requireField(options.field());
    Set<String> fields = read.fields();
    List<Column> others = new ArrayList<>();
    for (String other : fields == null ? options.fields() : fields) {
      if (!other.equals(read.field())) {
        others.add(Column.of(options.family(), Bytes.toBytes(other)));
      }
    }
    Table open = open(table).table();
    for (ValueHit hit : source.find(open, condition(read), read.limit(), others)) {
      HashMap<String, ByteIterator> record = new HashMap<>();
      copy(hit.projected(), record);
      record.remove(read.field());
      if (fields == null || fields.contains(read.field())) {
        record.put(read.field(), decode(hit.value()));
      }
      record.put(KEY, new StringByteIterator(Bytes.toString(hit.row())));
      result.add(record);
    }
    return Status.OK;
  }

  private ValuePredicate condition(ValueRead read) {
    String first = read.operands().get(0);
    return switch (read.kind()) {
      case READVALUE -> new EqualTo(encode(first));
      case RANGELOOKUP ->
          new Between(
              Optional.of(new Bound(encode(first), true)),
              Optional.of(new Bound(encode(read.operands().get(1)), true)));
      case PREFIX -> new Prefix(Bytes.toBytes(first));
    };
  }

  private OpenTable open(String name) throws IOException {
    OpenTable table = tables.get(name);
    if (table == null) {
      Connection connection = given.orElseGet(() -> shared.connection());
      table = OpenTable.of(connection, TableName.valueOf(name), options.buffer(), options.batch());
      tables.put(name, table);
    }
    return table;
  }

  private void copy(Result row, Map<String, ByteIterator> record) {
    if (row.isEmpty()) {
      return;
    }
    for (Cell cell : row.rawCells()) {
      byte[] value = CellUtil.cloneValue(cell);
      record.put(
          Bytes.toString(CellUtil.cloneQualifier(cell)),
          options.index().column().matches(cell)
              ? decode(value)
              : new ByteArrayByteIterator(value));
    }
  }

  /** YCSB's values are text; the index may be on numbers. */
  private byte[] encode(String field, ByteIterator value) {
    boolean number = options.index().type().isNumeric() && field.equals(options.field());
    return number ? options.index().type().parse(value.toString()) : value.toArray();
  }

  private byte[] encode(String operand) {
    ValueType type = options.index().type();
    return type.isNumeric() ? type.parse(operand) : Bytes.toBytes(operand);
  }

  private ByteIterator decode(byte[] value) {
    ValueType type = options.index().type();
    return type.isNumeric()
        ? new StringByteIterator(type.format(value))
        : new ByteArrayByteIterator(value);
  }
}
