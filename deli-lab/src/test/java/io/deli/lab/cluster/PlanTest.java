package io.deli.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanTest {
  private final Plan local = Plan.choose(2);
  private final Plan own = local.with(Map.of(NodeNetwork.SETTING, "10.77.9"));

  @Test
  void nodesAreOnTheLocalHostByDefault() {
    assertThat(local.nodes()).extracting(Node::host).containsOnly("localhost");
    assertThat(local.nodes()).extracting(Node::address).containsOnly("127.0.0.1");
  }

  @Test
  void eachNodeOfAnOwnNetworkHasAnAddressOfItsOwn() {
    assertThat(own.nodes())
        .extracting(Node::host)
        .containsExactly(
            "10.77.9.10", "10.77.9.11", "10.77.9.12", "10.77.9.13", "10.77.9.14", "10.77.9.15");
    assertThat(own.fileSystem()).startsWith("hdfs://10.77.9.11:");
    assertThat(own.node(Role.DATANODE).settings().get("dfs.datanode.address"))
        .startsWith("10.77.9.12:");
    assertThat(own.node(Role.REGION_SERVER).settings())
        .containsEntry("hbase.unsafe.regionserver.hostname", "10.77.9.14");
  }

  @Test
  void aPlanIsReadAsItWasWritten(@TempDir Path directory) throws IOException {
    for (Plan plan : List.of(local, own)) {
      plan.write(directory.resolve("plan"));
      assertThat(Plan.read(directory.resolve("plan"))).contains(plan);
    }
  }
}
