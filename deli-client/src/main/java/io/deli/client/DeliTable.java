package io.deli.client;

import io.deli.client.DeliTableBuilder.OperationTimeout;
import io.deli.client.DeliTableBuilder.ReadRpcTimeout;
import io.deli.client.DeliTableBuilder.WriteRpcTimeout;
import io.deli.client.internal.Futures;
import io.deli.client.internal.connect.BatchCallbacks;
import io.deli.client.internal.connect.BlockingCondition;
import io.deli.client.internal.connect.Engine;
import io.deli.client.internal.connect.ForwardingTable;
import io.deli.client.internal.read.QueryEngine;
import io.deli.client.internal.write.BlockingWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hadoop.hbase.filter.CompareFilter.CompareOp;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * HBase's table, with indexes kept on every write and reads by value.
 *
 * <p>On a table with an index, a write first puts the entries, and only when the index tables have
 * acknowledged them goes to the base table: whoever saw a write succeed finds it by value. One that
 * failed may be found or not, as in HBase. Puts and Deletes without a timestamp get the client's
 * own, strictly increasing for each row; {@code RowMutations} get one for all. A delete of one
 * exact version of an indexed column reads that column first, since it may make an older value
 * current again.
 *
 * <p>What would leave an index wrong is refused by {@link WriteRefusedException} before anything is
 * written, a whole list with it: Append and Increment on a column whose entries clients write, a
 * value that is not of the index's type, a value too long for an entry. Failures of a list come as
 * HBase's, with the rows named. Where there are no entries to write every call is HBase's own,
 * except that single Puts of many threads share requests.
 *
 * <p>Thread-safe but for the deprecated setters of time-outs.
 */
@SuppressWarnings("InlineMeSuggester") // what is deprecated is HBase's
public final class DeliTable extends ForwardingTable {
  private final Engine engine;
  private List<Consumer<AsyncTableBuilder<?>>> settings;
  private volatile BlockingWriter writer;
  private volatile QueryEngine queries;

  DeliTable(Engine engine, Table plain, List<Consumer<AsyncTableBuilder<?>>> settings) {
    super(plain, engine.configuration());
    this.engine = engine;
    this.settings = settings;
    this.writer = engine.blocking(getName(), ofWrites(settings));
    this.queries = engine.queries().with(settings);
  }

  /**
   * Finds rows by the value of an indexed column. Each request keeps to the time-outs and request
   * attributes of this table, as those of a Get do; a page may take several, one after the other.
   * HBase sends no attributes with calls of endpoints: a table with attributes has strategies
   * without an index table scan region by region, not by one request to each server.
   *
   * @throws IndexUnavailableException if an index does not exist, or may not be read yet
   * @throws IllegalArgumentException if the query cannot be answered right; the message says why
   * @throws IOException if the table cannot be read
   */
  public ValueScanner readValue(ValueQuery query) throws IOException {
    CompletableFuture<ValueScanner> scanner = queries.begin(engine.definitions(getName()), query);
    try {
      return Futures.await(scanner);
    } catch (InterruptedIOException e) {
      var unused = scanner.thenAccept(ValueScanner::close);
      throw e;
    }
  }

  /**
   * Tells how a query is answered, and what that took: runs it as a scanner would that is read to
   * its end, or the query's limit. Throws what {@link #readValue} does.
   */
  public Explanation explain(ValueQuery query) throws IOException {
    return Futures.await(queries.explain(engine.definitions(getName()), query));
  }

  @Override
  public void put(Put put) throws IOException {
    Object unused =
        writer.write(
            put,
            () -> {
              plain().put(put);
              return null;
            });
  }

  @Override
  public void put(List<Put> puts) throws IOException {
    List<Object> unused =
        writer.write(
            puts,
            Object.class,
            () -> {
              plain().put(puts);
              return List.of();
            });
  }

  @Override
  public void delete(Delete delete) throws IOException {
    Object unused =
        writer.write(
            delete,
            () -> {
              plain().delete(delete);
              return null;
            });
  }

  /** Leaves in the list the deletes that failed or whose outcome is unknown, as HBase does. */
  @Override
  public void delete(List<Delete> deletes) throws IOException {
    Object[] results = new Object[deletes.size()];
    try {
      batch(deletes, results);
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException(e.getMessage()).initCause(e);
    } finally {
      for (int i = results.length - 1; i >= 0; i--) {
        if (results[i] instanceof Result) {
          deletes.remove(i);
        }
      }
    }
  }

  @Override
  public void batch(List<? extends Row> actions, Object[] results)
      throws IOException, InterruptedException {
    writer.write(actions, results, answers -> plain().batch(actions, answers));
  }

  /** Calls back on the caller's thread when all answers are there, unlike HBase. */
  @Override
  public <R> void batchCallback(
      List<? extends Row> actions, Object[] results, Batch.Callback<R> callback)
      throws IOException, InterruptedException {
    if (callback == null) {
      batch(actions, results);
      return;
    }
    BlockingWriter.requirePlaces(actions, results);
    Object[] taken = results == null ? new Object[actions.size()] : results;
    try {
      batch(actions, taken);
    } finally {
      try (RegionLocator locator = getRegionLocator()) {
        new BatchCallbacks<>(locator, callback).tell(actions, taken);
      }
    }
  }

  @Override
  public Result mutateRow(RowMutations mutations) throws IOException {
    return writer.write(mutations, () -> plain().mutateRow(mutations));
  }

  @Override
  public CheckAndMutateResult checkAndMutate(CheckAndMutate conditional) throws IOException {
    return writer.write(conditional, () -> plain().checkAndMutate(conditional));
  }

  /** Throws the failure of a single operation as it is, as HBase does. */
  @Override
  public List<CheckAndMutateResult> checkAndMutate(List<CheckAndMutate> conditionals)
      throws IOException {
    return conditionals.size() == 1
        ? List.of(checkAndMutate(conditionals.get(0)))
        : writer.write(
            conditionals, CheckAndMutateResult.class, () -> plain().checkAndMutate(conditionals));
  }

  @Override
  public Result append(Append append) throws IOException {
    return writer.compute(append, () -> plain().append(append));
  }

  @Override
  public Result increment(Increment increment) throws IOException {
    return writer.compute(increment, () -> plain().increment(increment));
  }

  @Override
  public long incrementColumnValue(byte[] row, byte[] family, byte[] qualifier, long amount)
      throws IOException {
    return increment(
        row, family, qualifier, () -> plain().incrementColumnValue(row, family, qualifier, amount));
  }

  @Override
  public long incrementColumnValue(
      byte[] row, byte[] family, byte[] qualifier, long amount, Durability durability)
      throws IOException {
    return increment(
        row,
        family,
        qualifier,
        () -> plain().incrementColumnValue(row, family, qualifier, amount, durability));
  }

  /** Leaves a null row or family to HBase, which refuses it. */
  private long increment(
      byte[] row, byte[] family, byte[] qualifier, BlockingWriter.Past<Long, IOException> call)
      throws IOException {
    if (row == null || family == null) {
      return call.run();
    }
    return writer.compute(new Increment(row).addColumn(family, qualifier, 1), call);
  }

  @Override
  @Deprecated
  public boolean checkAndPut(
      byte[] row, byte[] family, byte[] qualifier, CompareOp op, byte[] value, Put put)
      throws IOException {
    return checkAndPut(row, family, qualifier, operator(op), value, put);
  }

  @Override
  @Deprecated
  public boolean checkAndPut(
      byte[] row, byte[] family, byte[] qualifier, CompareOperator op, byte[] value, Put put)
      throws IOException {
    return checkAndMutate(when(row, family, qualifier, op, value).build(put)).isSuccess();
  }

  @Override
  @Deprecated
  public boolean checkAndDelete(
      byte[] row, byte[] family, byte[] qualifier, CompareOp op, byte[] value, Delete delete)
      throws IOException {
    return checkAndDelete(row, family, qualifier, operator(op), value, delete);
  }

  @Override
  @Deprecated
  public boolean checkAndDelete(
      byte[] row, byte[] family, byte[] qualifier, CompareOperator op, byte[] value, Delete delete)
      throws IOException {
    return checkAndMutate(when(row, family, qualifier, op, value).build(delete)).isSuccess();
  }

  @Override
  @Deprecated
  public boolean checkAndMutate(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOp op,
      byte[] value,
      RowMutations mutations)
      throws IOException {
    return checkAndMutate(row, family, qualifier, operator(op), value, mutations);
  }

  @Override
  @Deprecated
  public boolean checkAndMutate(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator op,
      byte[] value,
      RowMutations mutations)
      throws IOException {
    return checkAndMutate(when(row, family, qualifier, op, value).build(mutations)).isSuccess();
  }

  @Override
  @Deprecated
  public CheckAndMutateBuilder checkAndMutate(byte[] row, byte[] family) {
    return new BlockingCondition(this, row, family);
  }

  @Override
  @Deprecated
  public CheckAndMutateWithFilterBuilder checkAndMutate(byte[] row, Filter filter) {
    return new BlockingCondition(this, row, filter);
  }

  private static CheckAndMutate.Builder when(
      byte[] row, byte[] family, byte[] qualifier, CompareOperator op, byte[] value) {
    return CheckAndMutate.newBuilder(row).ifMatches(family, qualifier, op, value);
  }

  @SuppressWarnings("deprecation")
  private static CompareOperator operator(CompareOp op) {
    return CompareOperator.valueOf(op.name());
  }

  @Override
  @Deprecated
  public void setReadRpcTimeout(int millis) {
    plain().setReadRpcTimeout(millis);
    use(new ReadRpcTimeout(millis));
  }

  @Override
  @Deprecated
  public void setWriteRpcTimeout(int millis) {
    plain().setWriteRpcTimeout(millis);
    use(new WriteRpcTimeout(millis));
  }

  @Override
  @Deprecated
  public void setOperationTimeout(int millis) {
    plain().setOperationTimeout(millis);
    use(new OperationTimeout(millis));
  }

  /** Without those of reads, which would part a writer from those whose operations it shares. */
  private static List<Consumer<AsyncTableBuilder<?>>> ofWrites(
      List<Consumer<AsyncTableBuilder<?>>> settings) {
    return settings.stream().filter(setting -> !(setting instanceof ReadRpcTimeout)).toList();
  }

  /** Keeps one setting of each kind, for an application may set it before every call. */
  private void use(Consumer<AsyncTableBuilder<?>> setting) {
    List<Consumer<AsyncTableBuilder<?>>> changed = new ArrayList<>(settings);
    changed.removeIf(earlier -> earlier.getClass() == setting.getClass());
    changed.add(setting);
    if (!Set.copyOf(changed).equals(Set.copyOf(settings))) {
      List<Consumer<AsyncTableBuilder<?>>> writes = ofWrites(changed);
      if (!writes.equals(ofWrites(settings))) {
        writer = engine.blocking(getName(), writes);
      }
      settings = changed;
      queries = engine.queries().with(changed);
    }
  }
}
