package io.deli.test.readme;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.test.cluster.MiniCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The example of the README: the text there is the text here, and it runs. */
class ReadmeExampleTest {
  @Test
  void runs() throws IOException {
    TableName table = TableName.valueOf("tweets");
    MiniCluster.utility().createTable(table, toBytes("d")).close();
    DeliAdmin.of(MiniCluster.connection())
        .createIndex(table, IndexDefinition.on("by_user", Column.parse("d:user")));
    PrintStream stdout = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      example(MiniCluster.configuration());
    } finally {
      System.setOut(stdout);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).startsWith("t1 @ ");
  }

  private static void example(Configuration conf) throws IOException {
    // example
    try (DeliConnection connection = DeliConnection.wrap(ConnectionFactory.createConnection(conf));
        DeliTable tweets = connection.getTable(TableName.valueOf("tweets"))) {
      tweets.put(new Put(toBytes("t1")).addColumn(toBytes("d"), toBytes("user"), toBytes("alice")));
      ValueQuery byAlice = ValueQuery.on("by_user").equalTo(toBytes("alice")).limit(10);
      try (ValueScanner hits = tweets.readValue(byAlice)) {
        for (ValueHit hit : hits) {
          System.out.println(Bytes.toString(hit.row()) + " @ " + hit.timestamp());
        }
      }
    }
    // end
  }

  @Test
  void isWhatTheReadmeShows() throws IOException {
    Examples.areRunBy(getClass(), "README.md");
  }
}
