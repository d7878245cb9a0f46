package io.deli.client.internal.connect;

import java.io.IOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;

/** {@code Table}'s deprecated builders, brought to {@link CheckAndMutate}. */
@SuppressWarnings("deprecation")
public final class BlockingCondition extends ConditionBuilder<BlockingCondition>
    implements Table.CheckAndMutateBuilder, Table.CheckAndMutateWithFilterBuilder {
  private final Table table;

  /** Starts a condition on a column of the row. */
  public BlockingCondition(Table table, byte[] row, byte[] family) {
    super(row, family);
    this.table = table;
  }

  /** Starts a condition on the whole row. */
  public BlockingCondition(Table table, byte[] row, Filter filter) {
    super(row, filter);
    this.table = table;
  }

  @Override
  BlockingCondition self() {
    return this;
  }

  @Override
  public boolean thenPut(Put put) throws IOException {
    return then(condition().build(put));
  }

  @Override
  public boolean thenDelete(Delete delete) throws IOException {
    return then(condition().build(delete));
  }

  @Override
  public boolean thenMutate(RowMutations mutations) throws IOException {
    return then(condition().build(mutations));
  }

  private boolean then(CheckAndMutate conditional) throws IOException {
    return table.checkAndMutate(conditional).isSuccess();
  }
}
