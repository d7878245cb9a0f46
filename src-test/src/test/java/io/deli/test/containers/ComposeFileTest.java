package io.deli.test.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of {@code docker/compose.yaml} all is understood, and nothing beside it. */
class ComposeFileTest {

  @Test
  void resolvesMergesAndVariables() throws Exception {
    ComposeFile file =
        ComposeFile.read(ContainerCluster.COMPOSE, Map.of("DELI_SITE", "a=$1", "DELI_IMAGE", ""));
    assertThat(file.services().keySet())
        .containsExactly(
            "zookeeper",
            "namenode",
            "datanode",
            "master",
            "regionserver-1",
            "regionserver-2",
            "client");
    ComposeFile.Service server = file.services().get("regionserver-2");
    assertThat(server.image()).isEqualTo("deli:latest");
    assertThat(server.role())
        .isEqualTo(
            new ComposeFile.Role(
                "regionserver",
                "regionserver-2",
                Map.of("DELI_SITE", "a=$1", "DELI_JAVA_OPTS", "")));
    assertThat(server.limits())
        .isEqualTo(
            new ComposeFile.Limits(1L << 30, List.of("ALL"), List.of("no-new-privileges:true")));
    assertThat(server.dependsOn()).containsExactly("datanode", "zookeeper");
    assertThat(file.services().get("datanode").outside().volumes())
        .isEqualTo(Map.of("datanode", "/data"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mem_limit: 768m             | memory_limit: 768m      | services.master.mem_limit",
        "hostname: master            | host_name: master       | services.master.hostname",
        "restart: unless-stopped     | privileged: yes         | services.zookeeper.restart",
        "command: client             | command: client+    user: 0 | services.client.user",
        "mem_limit: 768m             | mem_limit: 768q         | 768q",
        "zookeeper:/data             | zookeper:/data          | zookeper",
        "zookeeper:/data             | zookeeper:/data:ro      | zookeeper:/data:ro",
        "condition: service_healthy  | condition: started      | started",
        "master: {condition          | mister: {condition      | mister",
        "dockerfile: docker          | target: docker          |"
            + " services.zookeeper.build.dockerfile",
        "${DELI_SITE:-}              | ${DELI_SITE}            | ${DELI_SITE}",
        "${DELI_SITE:-}              | ${DELI_STE:-}           | DELI_SITE",
        "services:                   | networks: {}+services: | networks"
      })
  void refusesByName(String from, String to, String name) throws Exception {
    String text = Files.readString(ContainerCluster.COMPOSE);
    assertThat(text).contains(from);
    String changed = text.replace(from, to.replace('+', '\n'));
    assertThatThrownBy(() -> ComposeFile.parse(changed, Map.of("DELI_SITE", "a=b")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name);
  }
}
