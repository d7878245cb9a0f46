package io.deli.test.containers;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.command.InspectImageResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testcontainers.DockerClientFactory;

/** The image of {@code docker/Dockerfile}, as a cluster of containers. */
@Tag("containers")
@ExtendWith(EngineCondition.class)
class ContainersTest {
  private static final String USER = "10001";
  private static final long LARGEST_IMAGE = 500_000_000;

  private static ContainerCluster cluster;
  private static TweetsInContainers tweets;

  @BeforeAll
  static void start() throws Exception {
    cluster = new ContainerCluster();
    tweets = TweetsInContainers.create(cluster, "tweets");
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void theImageIsSmallAndHoldsNeitherRootNorSecrets() throws Exception {
    InspectImageResponse image =
        DockerClientFactory.instance().client().inspectImageCmd(cluster.imageName()).exec();
    System.err.printf("the image takes %,d bytes%n", image.getSize());
    assertThat(image.getSize()).isBetween(1L, LARGEST_IMAGE);
    assertThat(image.getConfig().getUser()).isEqualTo(USER);
    assertThat(Stream.of(image.getConfig().getEnv()))
        .noneMatch(
            variable ->
                variable.toLowerCase(Locale.ROOT).matches("[^=]*(secret|password|token).*"));

    assertThat(cluster.run("client", "ls", "-A", "/opt/deli").split("\n", -1))
        .containsOnly("bin", "client", "conf", "lib", "server", "site", "web", "");
    for (String role : List.of("zookeeper", "namenode", "datanode", "master", "client")) {
      assertThat(cluster.run(role, "id", "-u").strip()).isEqualTo(USER);
    }
    cluster.run("client", "bash", "-c", "! touch /opt/deli/lib/new");
  }

  @Test
  void containersAreConfinedAndKeepTheirDataOnVolumes() throws Exception {
    for (Map.Entry<String, ComposeFile.Service> service : cluster.services().entrySet()) {
      String name = service.getKey();
      assertThat(cluster.run(name, "cat", "/proc/1/status"))
          .as(name)
          .containsPattern("NoNewPrivs:\\s+1\n")
          .containsPattern("CapBnd:\\s+0+\n");
      // What has data has it in a directory of its name.
      for (String path : service.getValue().outside().volumes().values()) {
        assertThat(cluster.run(name, "stat", "-c", "%m", "/data/" + name).strip()).isEqualTo(path);
      }
    }
    assertThat(cluster.published("master", 16010))
        .singleElement(InstanceOfAssertFactories.STRING)
        .matches("127\\.0\\.0\\.1:[1-9]\\d*");
  }

  @Test
  void createsLoadsQueriesUpdatesCollects() throws Exception {
    cluster.write("/tmp/people.csv", "id,city,age\n1,Oruro,40\n2,Cusco,35\n3,Oruro,28\n");
    cluster.deli("create-table", "people", "d");
    cluster.deli("create-index", "people", "by_city", "d:city");
    cluster.deli("create-index", "people", "by_age", "d:age", "--type", "LONG");
    assertThat(cluster.deli("load", "people", "/tmp/people.csv", "--key", "id"))
        .contains("loaded 3 rows");
    assertThat(query("by_city", "--equal", "Oruro")).containsExactly("1,Oruro", "3,Oruro");
    assertThat(query("by_age", "--from", "30")).containsExactly("2,35", "1,40");

    cluster.deli("put", "people", "1", "city=Cusco");
    cluster.deli("delete", "people", "3");

    assertThat(query("by_city", "--from", "")).containsExactly("1,Cusco", "2,Cusco");
    cluster.awaitCollected("people", "by_city", 2);
  }

  private static Stream<String> query(String index, String... condition) throws Exception {
    String[] command = {"query", "people", index, condition[0], condition[1], "--format", "csv"};
    return cluster.deli(command).lines().skip(1).map(hit -> hit.substring(0, hit.lastIndexOf(',')));
  }

  /** One that is cut off is given up meanwhile, and must not serve what others have taken over. */
  @Test
  void aRegionServerThatIsKilledOrWithoutNetworkLosesNothing() throws Exception {
    tweets.loadDuring(
        progress -> {
          cluster.kill();
          progress.await();
          cluster.awaitLoss();
          cluster.restart();
          cluster.awaitReturn();

          cluster.cutOff();
          cluster.awaitLoss();
          progress.await();
          cluster.reconnect();
          cluster.awaitReturn();
        });
    tweets.assertExact();
  }
}
