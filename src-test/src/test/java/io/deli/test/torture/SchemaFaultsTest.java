package io.deli.test.torture;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.deli.lab.fault.Fault;
import io.deli.lab.fault.FaultProfile;
import io.deli.lab.fault.FaultTarget;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class SchemaFaultsTest {
  /** As the tortured table has one, of the numbers of writes. */
  @Test
  void moreVersions_besideAFamilyThatKeepsAll_areKept() throws IOException {
    TableName name =
        TestTable.createAsOperator(
                TestTable.describe("schema", 3)
                    .setColumnFamily(
                        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("all"))
                            .setMaxVersions(Integer.MAX_VALUE)
                            .build()),
                List.of())
            .name();
    FaultTarget target =
        new FaultTarget(
            MiniCluster.connection(),
            name,
            List.of(),
            Optional.empty(),
            List::of,
            Optional.empty());
    Fault fault =
        FaultProfile.SCHEMA.faults(target).stream()
            .filter(each -> each.name().equals("alteration of VERSIONS"))
            .findFirst()
            .orElseThrow();
    assertThatCode(() -> fault.course().run(new Random(1))).doesNotThrowAnyException();
  }
}
