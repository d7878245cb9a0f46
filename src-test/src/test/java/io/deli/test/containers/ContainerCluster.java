package io.deli.test.containers;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.HealthCheck;
import com.github.dockerjava.api.model.RestartPolicy;
import io.deli.test.cluster.Eventually;
import io.deli.tools.torture.ProcessTroubles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.ImageFromDockerfile;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.lifecycle.Startables;

/**
 * The cluster of {@code docker/compose.yaml}, with time-outs for a cluster that is to suffer. A
 * container that ends by itself is started again by the engine.
 */
final class ContainerCluster implements AutoCloseable {
  /** The region server that suffers. */
  static final String VICTIM = "regionserver-1";

  private static final Path ROOT = Path.of(System.getProperty("deli.root"));
  private static final Path LOGS = ROOT.resolve("src-test/target/containers");
  private static final Duration START = Duration.ofMinutes(4);
  private static final long HEALTH_NANOS = Duration.ofSeconds(1).toNanos();
  private static final Pattern LIVE_SERVERS =
      Pattern.compile("\"tag.liveRegionServers\" *: *\"([^\"]*)\"");

  private final DockerClient engine = DockerClientFactory.instance().client();
  private final Network network = Network.newNetwork();
  private final ImageFromDockerfile image = image();
  private final Map<String, GenericContainer<?>> containers = new TreeMap<>();

  ContainerCluster() throws IOException {
    GenericContainer<?> zookeeper = container("zookeeper", "zookeeper");
    GenericContainer<?> nameNode = container("namenode", "namenode");
    GenericContainer<?> dataNode = container("datanode", "datanode", nameNode);
    GenericContainer<?> master = container("master", "master", zookeeper, dataNode);
    GenericContainer<?> victim = container(VICTIM, "regionserver", zookeeper, dataNode);
    GenericContainer<?> other = container("regionserver-2", "regionserver", zookeeper, dataNode);
    GenericContainer<?> client = container("client", "client", master, victim, other);
    try {
      Startables.deepStart(client).join();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** With jars that the build has gathered, so that nothing is built or fetched within. */
  private static ImageFromDockerfile image() {
    Path docker = ROOT.resolve("docker");
    assertThat(docker.resolve("target/image/classpath"))
        .as("what goes into the image: run 'mvn verify', which gathers it")
        .exists();
    String base = System.getenv("DELI_BASE_IMAGE");
    return new ImageFromDockerfile()
        .withFileFromPath("Dockerfile", docker.resolve("Dockerfile"))
        .withFileFromPath("docker", docker)
        .withBuildArgs(base == null ? Map.of() : Map.of("BASE_IMAGE", base, "BUILD_IMAGE", base));
  }

  private GenericContainer<?> container(String name, String role, GenericContainer<?>... after) {
    GenericContainer<?> container =
        new GenericContainer<>(image)
            .withCommand(role)
            .withNetwork(network)
            .withNetworkAliases(name)
            .withEnv("DELI_SITE", settings())
            // as in other tests' JVMs: see the pom
            .withEnv("DELI_JAVA_OPTS", "-XX:TieredStopAtLevel=1")
            .withCreateContainerCmdModifier(
                create -> {
                  create.withHostName(name);
                  // else as the image has it
                  create.withHealthcheck(new HealthCheck().withInterval(HEALTH_NANOS));
                  create
                      .getHostConfig()
                      .withCapDrop(Capability.ALL)
                      .withRestartPolicy(RestartPolicy.unlessStoppedRestart());
                })
            .waitingFor(Wait.forHealthcheck().withStartupTimeout(START))
            .dependsOn(after);
    containers.put(name, container);
    return container;
  }

  private static String settings() {
    Map<String, String> settings = new TreeMap<>(ProcessTroubles.settings(Duration.ofMinutes(3)));
    // Commands try ten times; a server's end and return take longer here than that.
    settings.put("hbase.client.pause", "400");
    return settings.entrySet().stream()
        .map(setting -> setting.getKey() + "=" + setting.getValue())
        .collect(Collectors.joining("\n"));
  }

  /** Runs {@code deli} in the client's container; it must succeed. Returns what it printed. */
  String deli(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("deli"));
    command.addAll(List.of(arguments));
    return run("client", command.toArray(String[]::new));
  }

  /** Runs a command in a container; it must succeed. Returns what it printed. */
  String run(String name, String... command) throws IOException, InterruptedException {
    ExecResult result = containers.get(name).execInContainer(command);
    assertThat(result.getExitCode())
        .as("%s%n%s%s", List.of(command), result.getStdout(), result.getStderr())
        .isZero();
    return result.getStdout();
  }

  /** Collects until an index has so many entries left: what a slow server keeps goes next time. */
  void awaitCollected(String table, String index, int entries) throws Exception {
    // The second figure is of entries after the collection.
    Eventually.holdsElsewhere(
        () ->
            assertThat(deli("collect", table, "--format", "csv"))
                .containsPattern("(?m)^" + index + ",\\d+," + entries + ","));
  }

  /** Makes a file in the client's container. */
  void write(String file, String content) {
    containers.get("client").copyFileToContainer(Transferable.of(content), file);
  }

  String imageName() {
    return image.getDockerImageName();
  }

  /** The region servers that the master knows, as {@code host,port,start code}. */
  List<String> regionServers() throws IOException, InterruptedException {
    String page =
        run(
            "master",
            "bash",
            "-c",
            "exec 3<> /dev/tcp/127.0.0.1/16010"
                + " && printf 'GET /jmx?qry=Hadoop:service=HBase,name=Master,sub=Server HTTP/1.0\\r\\n\\r\\n' >&3"
                + " && cat <&3");
    Matcher live = LIVE_SERVERS.matcher(page);
    assertThat(live.find()).as(page).isTrue();
    return List.of(live.group(1).split(";", -1));
  }

  /** Ends the victim at once (SIGKILL); the engine leaves it so. */
  void kill() {
    engine.killContainerCmd(id()).withSignal("KILL").exec();
  }

  /** Starts it again after {@link #kill}. */
  void restart() {
    engine.startContainerCmd(id()).exec();
  }

  /** Takes the victim from the network: it runs on, reaches nobody and is reached by nobody. */
  void cutOff() {
    engine.disconnectFromNetworkCmd().withContainerId(id()).withNetworkId(network.getId()).exec();
  }

  /** Ends what {@link #cutOff} did. */
  void reconnect() {
    engine
        .connectToNetworkCmd()
        .withContainerId(id())
        .withNetworkId(network.getId())
        .withContainerNetwork(new ContainerNetwork().withAliases(VICTIM))
        .exec();
  }

  private String id() {
    return containers.get(VICTIM).getContainerId();
  }

  /** Waits until the master has given the victim up. */
  void awaitLoss() throws Exception {
    Eventually.holdsElsewhere(
        () -> assertThat(regionServers()).noneMatch(server -> server.startsWith(VICTIM)));
  }

  /** Waits until the victim serves again, as a new server. */
  void awaitReturn() throws Exception {
    Eventually.holdsElsewhere(
        () -> assertThat(regionServers()).anyMatch(server -> server.startsWith(VICTIM)));
  }

  /** Removes all of it; what the containers logged stays in {@code target/containers}. */
  @Override
  public void close() throws IOException {
    Files.createDirectories(LOGS);
    for (Map.Entry<String, GenericContainer<?>> container : containers.entrySet()) {
      if (container.getValue().getContainerId() != null) {
        Files.writeString(
            LOGS.resolve(container.getKey() + ".log"), container.getValue().getLogs());
      }
    }
    containers.values().forEach(GenericContainer::stop);
    network.close();
  }
}
