package io.deli.test.fault;

import io.deli.client.internal.write.ColocatedWrites;
import io.deli.client.internal.write.SharedRequests;
import io.deli.client.internal.write.TableClient;
import io.deli.client.internal.write.TableClients;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/** The real ways of what DELI writes and reads, for a test to take some of them otherwise. */
public abstract class ForwardingTableClients implements TableClients {
  private final TableClients real;

  protected ForwardingTableClients(TableClients real) {
    this.real = real;
  }

  @Override
  public TableClient index(TableName table) {
    return real.index(table);
  }

  @Override
  public TableClient base(TableName table) {
    return real.base(table);
  }

  /** Of none: rows and entries take their own ways, for a test to take them otherwise. */
  @Override
  public Optional<ColocatedWrites> colocated(TableName table) {
    return Optional.empty();
  }

  @Override
  public TableClient alone(TableName table) {
    return real.alone(table);
  }

  @Override
  public TableClient plain(TableName table) {
    return real.plain(table);
  }

  @Override
  public SharedRequests shared(TableName table) {
    return real.shared(table);
  }

  @Override
  public List<CompletableFuture<Result>> get(TableName table, List<Get> gets) {
    return real.get(table, gets);
  }

  @Override
  public CompletableFuture<List<Result>> scan(TableName table, Scan scan) {
    return real.scan(table, scan);
  }

  @Override
  public long operationMillis(TableName table) {
    return real.operationMillis(table);
  }

  @Override
  public long ownOperationMillis(TableName table) {
    return real.ownOperationMillis(table);
  }
}
