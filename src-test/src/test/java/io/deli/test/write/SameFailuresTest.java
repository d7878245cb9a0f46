package io.deli.test.write;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.OTHER;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliAsyncConnection;
import io.deli.client.DeliConnection;
import io.deli.index.IndexDefinition;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** What is refused comes out of DELI's table as out of HBase's own. */
class SameFailuresTest {
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] VALUE = Bytes.toBytes("v");
  private static final byte[] BOGUS = Bytes.toBytes("bogus");

  private interface Call {
    void on(Table table) throws Exception;
  }

  private static Put good() {
    return new Put(ROW).addColumn(FAMILY, QUALIFIER, VALUE);
  }

  private static Put bad() {
    return good().addColumn(BOGUS, QUALIFIER, VALUE);
  }

  private static Map<String, Call> calls() throws Exception {
    RowMutations several = RowMutations.of(List.<Mutation>of(good(), bad()));
    CheckAndMutate.Builder ifAbsent =
        CheckAndMutate.newBuilder(ROW).ifNotExists(FAMILY, Bytes.toBytes("absent"));
    Map<String, Call> calls = new TreeMap<>();
    calls.put("put", table -> table.put(bad()));
    calls.put("put of a list", table -> table.put(List.of(good(), bad())));
    calls.put("delete", table -> table.delete(new Delete(ROW).addFamily(BOGUS)));
    calls.put("batch", table -> table.batch(List.of(good(), bad()), new Object[2]));
    calls.put("mutateRow", table -> table.mutateRow(several));
    calls.put("conditional put", table -> table.checkAndMutate(ifAbsent.build(bad())));
    calls.put("conditional mutations", table -> table.checkAndMutate(ifAbsent.build(several)));
    CheckAndMutate conditional = ifAbsent.build(bad());
    calls.put("conditionals, one", table -> table.checkAndMutate(List.of(conditional)));
    calls.put(
        "conditionals, two", table -> table.checkAndMutate(List.of(conditional, conditional)));
    return calls;
  }

  /** HBase's client refuses some of them; others, and other Puts in them, it leaves to servers. */
  private static Map<String, Call> invalidCalls(Put invalid) throws Exception {
    RowMutations several = RowMutations.of(List.<Mutation>of(good(), invalid));
    CheckAndMutate.Builder ifAbsent =
        CheckAndMutate.newBuilder(ROW).ifNotExists(FAMILY, Bytes.toBytes("absent"));
    CheckAndMutate conditional = ifAbsent.build(invalid);
    CheckAndMutate ofSeveral = ifAbsent.build(several);
    Map<String, Call> calls = new TreeMap<>();
    calls.put("put", table -> table.put(invalid));
    calls.put("put of a list", table -> table.put(List.of(good(), invalid)));
    calls.put("batch", table -> table.batch(List.of(good(), invalid), new Object[2]));
    calls.put("batch of mutations", table -> table.batch(List.of(several), new Object[1]));
    calls.put("mutateRow", table -> table.mutateRow(several));
    calls.put("conditional put", table -> table.checkAndMutate(conditional));
    calls.put("conditional mutations", table -> table.checkAndMutate(ofSeveral));
    calls.put("conditionals, one", table -> table.checkAndMutate(List.of(conditional)));
    calls.put(
        "conditionals, two", table -> table.checkAndMutate(List.of(conditional, conditional)));
    calls.put("conditionals of mutations", table -> table.checkAndMutate(List.of(ofSeveral)));
    return calls;
  }

  private static Put empty(byte[] row) {
    return new Put(row);
  }

  /** Beyond what HBase's client takes, and its servers. */
  private static Put large(byte[] row) {
    return new Put(row)
        .addColumn(FAMILY, QUALIFIER, VALUE)
        .addColumn(FAMILY, OTHER, new byte[11 << 20]);
  }

  private static Map<String, Call> oddCalls() {
    Map<String, Call> calls = new TreeMap<>();
    calls.put("put of nothing", table -> table.put(new Put(ROW)));
    calls.put("puts, one of nothing", table -> table.put(List.of(good(), new Put(ROW))));
    calls.put("no puts", table -> table.put(List.of()));
    calls.put("no deletes", table -> table.delete(new ArrayList<>()));
    calls.put("no actions", table -> table.batch(List.of(), new Object[0]));
    calls.put("no conditionals", table -> table.checkAndMutate(List.of()));
    calls.put("increment of nothing", table -> table.increment(new Increment(ROW)));
    calls.put("append of nothing", table -> table.append(new Append(ROW)));
    calls.put(
        "increment without row", table -> table.incrementColumnValue(null, FAMILY, QUALIFIER, 1));
    calls.put(
        "increment without family", table -> table.incrementColumnValue(ROW, null, QUALIFIER, 1));
    calls.put(
        "increment of no family", table -> table.incrementColumnValue(ROW, BOGUS, QUALIFIER, 1));
    return calls;
  }

  @Test
  void exceptionsOfTheServerAreOfTheSameTypes() throws Exception {
    assertSameTypes("refused", calls());
  }

  @Test
  void exceptionsOfTheClientAreOfTheSameTypes() throws Exception {
    assertSameTypes("odd", oddCalls());
  }

  @Test
  void invalidPutsAreRefusedWhereHBaseDoes() throws Exception {
    assertSameTypes("empty", invalidCalls(empty(ROW)));
    assertSameTypes("oversized", invalidCalls(large(ROW)));
  }

  /** Of its region HBase fails all that it sends with it. */
  @Test
  void ofABatchACellThatIsTooLargeFailsNothingElse() throws Exception {
    byte[] other = Bytes.toBytes("s");
    TestTable written = TestTable.create("batch", 1, other);
    List<Row> batch = List.of(good(), large(other), new Get(ROW));
    try (Connection deli = MiniCluster.connectConfigured();
        Table indexed = deli.getTable(written.name());
        Table plain = MiniCluster.connection().getTable(written.name())) {
      assertThat(answers(batch, indexed))
          .isEqualTo(answers(batch, plain))
          .isEqualTo(List.of(Result.class, DoNotRetryIOException.class, Result.class));
      assertThat(types(table -> table.batch(batch, new Object[3]), indexed))
          .isEqualTo(types(table -> table.batch(batch, new Object[3]), plain));
    }
  }

  private static List<Class<?>> answers(List<Row> batch, Table table) {
    Object[] results = new Object[batch.size()];
    Throwable unused = catchThrowable(() -> table.batch(batch, results));
    return Arrays.stream(results).<Class<?>>map(Object::getClass).toList();
  }

  @Test
  void anInvalidPutIsRefusedAtOnceByAsynchronousTables() throws Exception {
    TableName name = TestTable.create("async", 1).name();
    Put nothing = new Put(ROW);
    RowMutations several = RowMutations.of(List.<Mutation>of(nothing));
    CheckAndMutate conditional =
        CheckAndMutate.newBuilder(ROW).ifNotExists(FAMILY, QUALIFIER).build(several);
    try (DeliConnection deli = DeliConnection.wrap(MiniCluster.connectConfigured())) {
      AsyncDeliTable table = deli.getAsyncTable(name);
      assertThatIllegalArgumentException().isThrownBy(() -> table.put(nothing));
      assertThatIllegalArgumentException().isThrownBy(() -> table.put(List.of(good(), nothing)));
      assertThatIllegalArgumentException().isThrownBy(() -> table.batch(List.of(nothing)));
      assertThatIllegalArgumentException().isThrownBy(() -> table.mutateRow(several));
      assertThatIllegalArgumentException().isThrownBy(() -> table.checkAndMutate(conditional));
    }
  }

  private interface AsyncCall {
    List<? extends CompletableFuture<?>> on(AsyncConnection connection, TableName table);
  }

  private static Map<String, AsyncCall> asyncCalls() {
    CheckAndMutate conditional =
        CheckAndMutate.newBuilder(ROW).ifNotExists(FAMILY, Bytes.toBytes("absent")).build(bad());
    Map<String, AsyncCall> calls = new TreeMap<>();
    calls.put("put", (all, name) -> List.of(all.getTable(name).put(bad())));
    calls.put("put of a list", (all, name) -> all.getTable(name).put(List.of(good(), bad())));
    calls.put("put of a list of one", (all, name) -> all.getTable(name).put(List.of(bad())));
    calls.put(
        "deletes",
        (all, name) -> all.getTable(name).delete(List.of(new Delete(ROW).addFamily(BOGUS))));
    calls.put("batch", (all, name) -> all.getTable(name).batch(List.of(good(), bad())));
    calls.put(
        "conditional", (all, name) -> List.of(all.getTable(name).checkAndMutate(conditional)));
    calls.put(
        "conditionals",
        (all, name) -> all.getTable(name).checkAndMutate(List.of(conditional, conditional)));
    calls.put(
        "mutator",
        (all, name) -> {
          try (AsyncBufferedMutator mutator = all.getBufferedMutator(name)) {
            return mutator.mutate(List.of(good(), bad()));
          }
        });
    return calls;
  }

  @Test
  void failuresOfAsynchronousWritesAreOfTheSameTypes() throws Exception {
    try (AsyncConnection plain =
            ConnectionFactory.createAsyncConnection(MiniCluster.configuration()).get();
        DeliAsyncConnection deli =
            DeliAsyncConnection.wrap(
                ConnectionFactory.createAsyncConnection(MiniCluster.configuration()).get())) {
      for (List<IndexDefinition> indexes :
          List.of(List.<IndexDefinition>of(), List.of(TestTable.byQ()))) {
        TableName written = TestTable.create("async_refused", 1, indexes).name();
        for (Map.Entry<String, AsyncCall> call : asyncCalls().entrySet()) {
          assertThat(types(call.getValue().on(deli, written)))
              .as("%s, %d indexes", call.getKey(), indexes.size())
              .isEqualTo(types(call.getValue().on(plain, written)));
        }
      }
    }
  }

  /** The failure's type, if any, and that of its cause, of each, as a caller who waits is told. */
  private static List<List<Class<?>>> types(List<? extends CompletableFuture<?>> answers) {
    return answers.stream()
        .map(answer -> answer.handle((result, error) -> types(error)))
        .map(CompletableFuture::join)
        .toList();
  }

  private static List<Class<?>> types(Throwable error) {
    return Stream.iterate(error, Objects::nonNull, Throwable::getCause)
        .filter(each -> !(each instanceof CompletionException))
        .limit(2)
        .<Class<?>>map(Throwable::getClass)
        .toList();
  }

  private static void assertSameTypes(String stem, Map<String, Call> calls) throws Exception {
    TestTable written = TestTable.create(stem, 1);
    try (Connection deli = MiniCluster.connectConfigured();
        Table indexed = deli.getTable(written.name());
        Table plain = MiniCluster.connection().getTable(written.name())) {
      for (Map.Entry<String, Call> call : calls.entrySet()) {
        assertThat(types(call.getValue(), indexed))
            .as(call.getKey())
            .isEqualTo(types(call.getValue(), plain));
      }
    }
  }

  /** The exception's type, if any, and that of what it reports of the first that failed. */
  private static List<Class<?>> types(Call call, Table table) {
    Throwable thrown = catchThrowable(() -> call.on(table));
    if (thrown == null) {
      return List.of();
    }
    return thrown instanceof RetriesExhaustedWithDetailsException detailed
        ? List.of(thrown.getClass(), detailed.getCause(0).getClass())
        : List.of(thrown.getClass());
  }
}
