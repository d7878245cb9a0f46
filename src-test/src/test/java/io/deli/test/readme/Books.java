package io.deli.test.readme;

// example
import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

public class Books {
  public static void main(String[] args) throws IOException {
    Configuration conf = HBaseConfiguration.create(); // reads hbase-site.xml, if there is one
    TableName name = TableName.valueOf("books");
    byte[] d = toBytes("d");
    try (DeliConnection connection = DeliConnection.wrap(ConnectionFactory.createConnection(conf));
        Admin admin = connection.getAdmin();
        DeliTable books = connection.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(d))
              .build());
      IndexDefinition byAuthor = IndexDefinition.on("by_author", Column.parse("d:author"));
      connection.getDeliAdmin().createIndex(name, byAuthor);
      books.put(new Put(toBytes("b1")).addColumn(d, toBytes("author"), toBytes("Eco")));
      ValueQuery byEco = ValueQuery.on("by_author").equalTo(toBytes("Eco")).limit(10);
      try (ValueScanner hits = books.readValue(byEco)) {
        for (ValueHit hit : hits) {
          System.out.println(Bytes.toString(hit.row()) + " @ " + hit.timestamp());
        }
      }
    }
  }
}
// end
