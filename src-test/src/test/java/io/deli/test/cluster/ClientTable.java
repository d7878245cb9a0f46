package io.deli.test.cluster;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.index.IndexDefinition;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** A table and a client of its own that keeps the indexes and queries them. */
public class ClientTable extends TestTable implements AutoCloseable {
  private final DeliConnection connection;
  private final DeliTable client;

  public ClientTable(TestTable table) throws IOException {
    this(table, MiniCluster.connect());
  }

  /** The table by a connection that is closed with it. */
  public ClientTable(TestTable table, DeliConnection connection) throws IOException {
    super(table);
    this.connection = connection;
    client = connection.getTable(name());
  }

  /** Creates a table of the mini cluster, its indexes as an operator does, and its client. */
  public static ClientTable createIndexed(
      TableDescriptorBuilder table, IndexDefinition... definitions) throws IOException {
    return new ClientTable(createAsOperator(table, List.of(definitions)));
  }

  public DeliConnection connection() {
    return connection;
  }

  public DeliTable client() {
    return client;
  }

  /** The rows that a query finds, in its order. */
  public List<String> find(ValueQuery query) throws IOException {
    return find(client, query);
  }

  @Override
  public void close() throws IOException {
    client.close();
    connection.close();
  }
}
