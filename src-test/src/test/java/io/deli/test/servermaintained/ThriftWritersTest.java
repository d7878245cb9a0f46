package io.deli.test.servermaintained;

import static io.deli.test.servermaintained.ServedTable.BY_Q;
import static io.deli.test.servermaintained.ServedTable.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.ProgressListener;
import io.deli.index.IndexDefinition;
import io.deli.strategy.Retraction;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.thrift2.generated.THBaseService;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TTransport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clients that Thrift generated, in front of HBase's own Thrift server: every write that they have,
 * on a table whose index the region servers maintain, and on one whose index DELI's clients do.
 */
class ThriftWritersTest {
  @AutoClose("stop")
  private static ThriftGateway gateway;

  @BeforeAll
  static void start() {
    gateway = new ThriftGateway();
  }

  @ParameterizedTest
  @CsvSource({"deferred, 1", "deferred, 3", "composite, 3"})
  void areIndexedByRegionServers(String strategy, int versions) throws Exception {
    ServedTable served = create(BY_Q.withStrategy(strategy), versions);
    write(served, ThriftWrites::all);
    assertThat(current(served.assertRight(1))).isEqualTo(ThriftWrites.CURRENT);
    served.assertRight(versions);
    write(served, ThriftWrites::computedIndexed);
    DeliAdmin.of(served.plain()).collect(served.name(), ProgressListener.NONE);
    if (served.index().strategy().retraction() == Retraction.AT_REWRITE) {
      assertThat(new TreeSet<>(served.held())).isEqualTo(served.base(versions));
    }
    List<String> expected = new ArrayList<>(ThriftWrites.CURRENT);
    expected.replaceAll(each -> each.equals("put=v2") ? "put=v2x" : each);
    expected.add("counted=" + Bytes.toString(Bytes.toBytes(1L)));
    assertThat(current(served.assertRight(1))).containsExactlyInAnyOrderElementsOf(expected);
    served.assertRight(versions);
  }

  @Test
  void areNotIndexedByAnybodyElse() throws Exception {
    ServedTable unserved = create(IndexDefinition.on(BY_Q.name(), BY_Q.column()), 1);
    write(unserved, ThriftWrites::all);
    assertThat(current(unserved.base(1))).isEqualTo(ThriftWrites.CURRENT);
    // What a delete of one version exposes is restored whoever deletes it.
    assertThat(unserved.found(1))
        .containsExactly("exact=v1@1", "familyVersion=v1@1", "latest=v1@1");
  }

  private static ServedTable create(IndexDefinition definition, int versions) throws IOException {
    return ServedTable.create(
        MiniCluster.connection(),
        MiniCluster.uniqueTable("thrift"),
        definition,
        versions,
        Bytes.toBytes("m"));
  }

  private interface Writer {
    void write(ThriftWrites writes) throws TException;
  }

  private static void write(ServedTable to, Writer writer) throws Exception {
    TProtocol protocol = gateway.connect();
    try (TTransport transport = protocol.getTransport()) {
      assertThat(transport.isOpen()).isTrue();
      writer.write(new ThriftWrites(new THBaseService.Client(protocol), to.name()));
    }
  }
}
