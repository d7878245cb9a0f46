package io.deli.client.internal.read;

import io.deli.client.ValueQuery;
import io.deli.client.internal.ClientEnvironment;
import io.deli.client.internal.KnownIndexes;
import io.deli.client.internal.metrics.ClientMetrics;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.ValueType;
import io.deli.strategy.IndexDefinitions;
import io.deli.token.Tokenizer;
import io.deli.token.Tokenizers;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Plans of queries on a table with indexes of many kinds. */
final class Plans {
  static final long NOW = 1_000;
  static final byte[] A = {'a'};
  static final byte[] B = {'b'};
  static final ValueQuery BY_KEY = ValueQuery.on("key").equalTo(A);
  static final ValueQuery BY_TIME = ValueQuery.on("time").equalTo(A);
  static final ValueQuery RANGE = ValueQuery.on("time").between(A, B);

  private static final KnownIndexes TABLE =
      table(
          index("key", "f:p"),
          index("time", "f:q").withOrder(EntryOrder.BY_TIME),
          index("lists", "f:q").withStrategy("lazy"),
          index("none", "f:q").withStrategy("none"),
          index("prefixes", "f:q").withTokenizer(Tokenizers.PREFIX),
          index("letters", "f:q").withTokenizer(Letters.class.getName()),
          index("newest", "f:q").withStrategy("in-place"),
          index("decimal", "f:d").withType(ValueType.DECIMAL),
          index("off", "f:p").withState(IndexState.DISABLED));

  /** A token for each byte of a value. */
  public static final class Letters implements Tokenizer {
    @Override
    public List<byte[]> tokens(byte[] value) {
      return IntStream.range(0, value.length).mapToObj(i -> new byte[] {value[i]}).toList();
    }
  }

  private Plans() {}

  static IndexDefinition index(String name, String column) {
    return IndexDefinition.on(name, Column.parse(column));
  }

  static KnownIndexes table(IndexDefinition... definitions) {
    return table(describe(), definitions);
  }

  static TableDescriptorBuilder describe() {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f")).setMaxVersions(3).build());
  }

  static KnownIndexes table(TableDescriptorBuilder table, IndexDefinition... definitions) {
    for (IndexDefinition definition : definitions) {
      IndexDefinitions.put(table, definition);
    }
    return KnownIndexes.of(table.build(), 0);
  }

  /** Returns an engine without metrics, which has a clock of its own for read repair and TTL. */
  static QueryEngine engine(
      AsyncConnection connection, Configuration configuration, InstantSource clock) {
    return new QueryEngine(
        connection,
        configuration,
        ClientEnvironment.of(clock, System::nanoTime),
        ClientMetrics.off());
  }

  /** Returns definitions that never change. */
  static CurrentDefinitions fixed(KnownIndexes indexes) {
    CompletableFuture<KnownIndexes> known = CompletableFuture.completedFuture(indexes);
    return new CurrentDefinitions(indexes.base(), () -> known, () -> known);
  }

  static QueryPlan plan(ValueQuery query) throws Exception {
    return plan(TABLE, query);
  }

  static QueryPlan plan(KnownIndexes table, ValueQuery query) throws Exception {
    return QueryPlanner.plan(table, query, NOW);
  }

  /** Reads rows as a map has them by then. */
  static TableReader holding(Map<byte[], Result> rows) {
    return (TableReader)
        Proxy.newProxyInstance(
            TableReader.class.getClassLoader(),
            new Class<?>[] {TableReader.class},
            (proxy, method, arguments) ->
                CompletableFuture.completedFuture(
                    ((List<?>) arguments[1])
                        .stream().map(get -> rows.get(((Get) get).getRow())).toList()));
  }
}
