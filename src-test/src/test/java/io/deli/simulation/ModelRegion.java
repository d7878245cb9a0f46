package io.deli.simulation;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagUtil;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;

/**
 * The one region of a table with one family, as HBase answers clients. Each request takes effect at
 * one moment. What it holds in memory is in its log, too, and survives a crash.
 */
final class ModelRegion {
  private final TableDescriptor table;
  private final World world;
  private final World.Node server;
  private final ColumnFamilyDescriptor family;
  private final ModelStore store;
  private boolean open = true;
  private Observer observer = new Observer() {};

  /** What a coprocessor has a say in. */
  interface Observer {
    /** A request begins. */
    default void beforeRequest() {}

    /** Milliseconds to wait before the rows of a mutation are locked. */
    default long waitMillis(Mutation mutation) {
      return 0;
    }

    /** With the rows locked. */
    default void beforeBatch(MiniBatchOperationInProgress<Mutation> batch, boolean atomic)
        throws IOException {}

    /** With the rows still locked. */
    default void afterBatch(MiniBatchOperationInProgress<Mutation> batch) {}

    /** A request to a service of its own. */
    default Message call(MethodDescriptor method, Message request) throws IOException {
      throw new UnsupportedOperationException(method.getFullName());
    }
  }

  ModelRegion(TableDescriptor table, World world, World.Node server, LogStructuredStore store) {
    this.table = table;
    this.world = world;
    this.server = server;
    this.family = table.getColumnFamilies()[0];
    this.store = new ModelStore(store, family.getMaxVersions(), () -> world.millis(server));
  }

  TableDescriptor table() {
    return table;
  }

  ColumnFamilyDescriptor family() {
    return family;
  }

  World.Node server() {
    return server;
  }

  ModelStore store() {
    return store;
  }

  boolean isOpen() {
    return open;
  }

  /** Ends with its server; what it holds, the log has. */
  void crash() {
    open = false;
    store.crash();
  }

  void open(Observer newObserver) {
    observer = newObserver;
    open = true;
  }

  Message call(MethodDescriptor method, Message request) throws IOException {
    return observer.call(method, request);
  }

  /** Milliseconds to wait before a request may go on. */
  long waitMillis(List<? extends Row> operations) {
    long longest = 0;
    for (Row operation : operations) {
      for (Mutation mutation : mutations(operation)) {
        longest = Math.max(longest, observer.waitMillis(mutation));
      }
    }
    return longest;
  }

  private static List<Mutation> mutations(Row operation) {
    if (operation instanceof RowMutations several) {
      return several.getMutations();
    } else if (operation instanceof CheckAndMutate conditional) {
      return mutations(conditional.getAction());
    }
    return operation instanceof Mutation mutation ? List.of(mutation) : List.of();
  }

  /** Carries out a request; the answer of an operation that failed is its error. */
  Object[] serve(List<? extends Row> operations) {
    observer.beforeRequest();
    Object[] answers = new Object[operations.size()];
    List<Integer> plain = new ArrayList<>();
    List<Mutation> batch = new ArrayList<>();
    for (int i = 0; i < answers.length; i++) {
      Row operation = operations.get(i);
      if (operation instanceof Put || operation instanceof Delete) {
        plain.add(i);
        batch.add((Mutation) operation);
        continue;
      }
      try {
        answers[i] = serve(operation);
      } catch (IOException e) {
        answers[i] = e;
      }
    }
    if (!plain.isEmpty()) {
      Object[] done = apply(batch, false);
      for (int i = 0; i < done.length; i++) {
        answers[plain.get(i)] = done[i];
      }
    }
    return answers;
  }

  private Object serve(Row operation) throws IOException {
    if (operation instanceof Get get) {
      return get(get);
    } else if (operation instanceof RowMutations several) {
      return atomically(several.getMutations());
    }
    CheckAndMutate conditional = (CheckAndMutate) operation;
    boolean holds = holds(conditional);
    if (holds) {
      atomically(mutations(conditional.getAction()));
    }
    return new CheckAndMutateResult(holds, null);
  }

  private Result atomically(List<Mutation> mutations) throws IOException {
    for (Object answer : apply(mutations, true)) {
      if (answer instanceof IOException failure) {
        throw failure;
      }
    }
    return Result.EMPTY_RESULT;
  }

  private boolean holds(CheckAndMutate conditional) throws IOException {
    Get get = new Get(conditional.getRow());
    if (conditional.hasFilter()) {
      return !get(get.setFilter(conditional.getFilter())).isEmpty();
    }
    get.addColumn(conditional.getFamily(), conditional.getQualifier());
    byte[] value = get(get).value();
    byte[] wanted = conditional.getValue();
    if (wanted == null || wanted.length == 0) {
      return value == null || value.length == 0;
    }
    return value != null && Arrays.equals(value, wanted);
  }

  private Object[] apply(List<Mutation> requested, boolean atomic) {
    Mutation[] mutations = new Mutation[requested.size()];
    OperationStatus[] statuses = new OperationStatus[mutations.length];
    long now = world.millis(server);
    for (int i = 0; i < mutations.length; i++) {
      mutations[i] = stamped(requested.get(i), now);
      statuses[i] = OperationStatus.NOT_RUN;
    }
    MiniBatchOperationInProgress<Mutation> batch =
        new MiniBatchOperationInProgress<>(
            mutations,
            statuses,
            new WALEdit[mutations.length],
            0,
            mutations.length,
            mutations.length);
    Object[] answers = new Object[mutations.length];
    try {
      observer.beforeBatch(batch, atomic);
    } catch (IOException e) {
      Arrays.fill(answers, e);
      return answers;
    }
    keepLast(mutations, statuses);
    for (int i = 0; i < mutations.length; i++) {
      Optional<IOException> failure = failure(statuses[i]);
      answers[i] = failure.isPresent() ? failure.get() : Result.EMPTY_RESULT;
      if (failure.isEmpty()) {
        take(mutations[i]);
      }
    }
    if (atomic
        && answers.length > 1
        && Arrays.stream(answers).anyMatch(IOException.class::isInstance)) {
      throw new IllegalStateException("a part of an atomic batch failed");
    }
    observer.afterBatch(batch);
    return answers;
  }

  /** Of equal cells of a batch, which has one sequence number, HBase's memory takes the last. */
  private static void keepLast(Mutation[] mutations, OperationStatus[] statuses) {
    Set<Cell> taken = new TreeSet<>(CellComparator.getInstance());
    for (int i = mutations.length - 1; i >= 0; i--) {
      if (failure(statuses[i]).isEmpty()) {
        for (List<Cell> cells : mutations[i].getFamilyCellMap().values()) {
          for (int k = cells.size() - 1; k >= 0; k--) {
            if (!taken.add(cells.get(k))) {
              cells.remove(k);
            }
          }
        }
      }
    }
  }

  private static Optional<IOException> failure(OperationStatus status) {
    if (status.getOperationStatusCode() == OperationStatusCode.NOT_RUN) {
      return Optional.empty();
    }
    return Optional.of(
        status.getOperationStatusCode() == OperationStatusCode.STORE_TOO_BUSY
            ? new RegionTooBusyException(status.getExceptionMsg())
            : new FailedSanityCheckException(status.getExceptionMsg()));
  }

  /** As the server has it: a copy, with the time where it has none. */
  private Mutation stamped(Mutation requested, long now) {
    byte[] row = requested.getRow();
    long timestamp = requested.getTimestamp();
    Mutation mutation =
        requested instanceof Put ? new Put(row, timestamp) : new Delete(row, timestamp);
    requested.getAttributesMap().forEach(mutation::setAttribute);
    Mutation asked =
        requested.isEmpty() ? new Delete(row, timestamp).addFamily(family.getName()) : requested;
    for (Map.Entry<byte[], List<Cell>> each : asked.getFamilyCellMap().entrySet()) {
      List<Cell> cells = new ArrayList<>(each.getValue().size());
      for (Cell cell : each.getValue()) {
        List<Tag> tags = TagUtil.carryForwardTTLTag(null, requested.getTTL());
        KeyValue copy =
            KeyValueUtil.copyToNewKeyValue(
                tags == null ? cell : PrivateCellUtil.createCell(cell, tags));
        if (copy.getTimestamp() == HConstants.LATEST_TIMESTAMP) {
          if (copy.getType() == Cell.Type.Delete) {
            throw new UnsupportedOperationException("a delete of the latest version");
          }
          copy.updateLatestStamp(Bytes.toBytes(now));
        }
        cells.add(copy);
      }
      mutation.getFamilyCellMap().put(each.getKey(), cells);
    }
    return mutation;
  }

  private void take(Mutation mutation) {
    boolean isEntry = !table.getTableName().equals(Deployment.BASE);
    if (isEntry && mutation instanceof Put && world.has(Defect.ENTRY_LATE)) {
      world.afterMillis(20, server, () -> add(mutation));
    } else if (isEntry
        && mutation instanceof Delete
        && world.has(Defect.DELETE_OF_EVERY_TIMESTAMP)) {
      add(new Delete(mutation.getRow()).addFamily(family.getName(), world.millis(server)));
    } else if (!isEntry
        || !(mutation instanceof Put)
        || !world.has(Defect.ENTRY_LOST)
        || !world.chance().oneIn(5)) {
      add(mutation);
    }
  }

  private void add(Mutation mutation) {
    mutation.getFamilyCellMap().values().forEach(store::add);
  }

  Result get(Get get) throws IOException {
    Scan scan = new Scan(get).withStopRow(get.getRow(), true);
    List<Result> rows = scan(scan);
    return rows.isEmpty() ? Result.EMPTY_RESULT : rows.get(0);
  }

  List<Result> scan(Scan scan) throws IOException {
    if (scan.isRaw() && world.has(Defect.WITHDRAWN_UNSEEN)) {
      return List.of();
    }
    List<Result> results = new ArrayList<>();
    Filter filter = scan.getFilter();
    for (List<Cell> row : store.read(scan)) {
      if (filter == null || !filter.filterRowKey(row.get(0))) {
        results.add(Result.create(row));
      }
      if (scan.getLimit() > 0 && results.size() == scan.getLimit()) {
        break;
      }
    }
    return results;
  }

  /** All cells of a row with a timestamp, whatever hides them. */
  List<Cell> cells(byte[] row, long timestamp) {
    Scan scan = ModelStore.row(row).setRaw(true).readAllVersions();
    scan.setTimestamp(timestamp);
    List<List<Cell>> rows = store.read(scan);
    return rows.isEmpty() ? List.of() : rows.get(0);
  }

  @Override
  public String toString() {
    return table.getTableName().getNameAsString();
  }
}
