package io.deli.test.ycsb;

import static io.deli.test.ycsb.Records.record;
import static io.deli.test.ycsb.Records.results;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.BuildOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.ProgressListener;
import io.deli.test.cluster.Eventually;
import io.deli.test.cluster.MiniCluster;
import io.deli.ycsb.DeliClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Properties;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.DBException;
import site.ycsb.Status;

/** The binding's operations, with and without an index. */
class DeliClientTest {
  @ParameterizedTest
  @ValueSource(strings = {"plain", "deferred", "lazy"})
  void answersEveryOperation(String strategy) throws DBException {
    Properties properties = properties(strategy);
    DeliClient client = open(properties);
    try {
      BindingContract.assertAnswersEveryOperation(client, properties.getProperty("table"));
    } finally {
      client.cleanup();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "composite"})
  void ordersNumbersAsNumbers(String strategy) throws DBException {
    Properties properties = properties(strategy);
    properties.setProperty("deli.ycsb.type", "LONG");
    properties.setProperty("clientbuffering", "true");
    DeliClient writer = open(properties);
    String table = properties.getProperty("table");
    for (int number : new int[] {-5, 7, 30, 200}) {
      writer.insert(table, "user" + number, record("" + number, "text"));
    }
    writer.cleanup();

    DeliClient reader = open(properties);
    try {
      var range = results();
      assertThat(reader.find(table, Records.range("-9", "30"), range)).isEqualTo(Status.OK);
      assertThat(range.stream().map(Records::text).map(record -> record.get("field0")))
          .containsExactlyInAnyOrder("-5", "7", "30");
      assertThat(reader.insert(table, "user1", record("no number", "text")).getName())
          .isEqualTo(Status.BAD_REQUEST.getName());
    } finally {
      reader.cleanup();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "deferred"})
  void readsOldVersions(String strategy) throws DBException {
    Properties properties = properties(strategy);
    properties.setProperty("deli.ycsb.versions", "2");
    DeliClient client = open(properties);
    try {
      String table = properties.getProperty("table");
      for (String value : List.of("v1", "v2", "v3")) {
        client.update(table, "user1", record(value, "text"));
        // Of two plain writes in one the second takes the place of the first.
        Eventually.nextMillisecond();
      }
      List<Integer> hits = new ArrayList<>();
      for (String value : List.of("v1", "v2", "v3")) {
        var found = results();
        client.find(table, Records.equalTo("field0", value, 0, null), found);
        hits.add(found.size());
      }
      assertThat(hits).containsExactly(0, 1, 1);
    } finally {
      client.cleanup();
    }
  }

  @Test
  void aDeleteFollowsThePutsThatWait() throws DBException {
    Properties properties = properties("deferred");
    properties.setProperty("deli.ycsb.batch", "10");
    String table = properties.getProperty("table");
    DeliClient client = open(properties);
    assertThat(client.insert(table, "user1", record("v1", "text"))).isEqualTo(Status.BATCHED_OK);
    assertThat(client.delete(table, "user1")).isEqualTo(Status.OK);
    client.cleanup();
    DeliClient reader = open(properties);
    assertThat(reader.read(table, "user1", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    reader.cleanup();
  }

  @Test
  void usesAnIndexThatWasBuilt() throws IOException, DBException {
    Properties properties = properties("deferred");
    open(properties).cleanup();
    DeliAdmin.of(MiniCluster.connection())
        .build(
            TableName.valueOf(properties.getProperty("table")),
            "by_field0",
            BuildOptions.DEFAULT,
            ProgressListener.NONE);

    assertThatCode(() -> open(properties).cleanup()).doesNotThrowAnyException();
  }

  @Test
  void refusesWhatWouldNotDo() throws DBException {
    Properties properties = properties("deferred");
    open(properties).cleanup();
    Properties plain = copy(properties, "deli.ycsb.strategy", "plain");
    assertThatThrownBy(() -> open(plain))
        .isInstanceOf(DBException.class)
        .hasMessageContaining("which plain writes would not keep");
    Properties lazy = copy(properties, "deli.ycsb.strategy", "lazy");
    assertThatThrownBy(() -> open(lazy)).hasMessageContaining("set the properties accordingly");
    Properties absent = copy(properties, "table", "ycsb_absent");
    absent.remove("deli.ycsb.create");
    assertThatThrownBy(() -> open(absent)).hasMessageContaining("deli.ycsb.create=true");
    Properties unknown = copy(properties, "durability", "maybe");
    assertThatThrownBy(() -> open(unknown)).hasMessageContaining("durability=maybe: use one of");
  }

  private static Properties properties(String strategy) {
    Properties properties = Records.properties();
    properties.setProperty("table", MiniCluster.uniqueTable("ycsb").getNameAsString());
    properties.setProperty("deli.ycsb.strategy", strategy);
    properties.setProperty("deli.ycsb.create", "true");
    properties.setProperty("deli.ycsb.regions", "2");
    return properties;
  }

  private static Properties copy(Properties properties, String name, String value) {
    Properties copy = new Properties();
    copy.putAll(properties);
    copy.setProperty(name, value);
    return copy;
  }

  private static DeliClient open(Properties properties) throws DBException {
    DeliClient client = new DeliClient();
    client.setProperties(properties);
    client.init();
    return client;
  }
}
