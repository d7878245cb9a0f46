package io.deli.test.containers;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import com.github.dockerjava.api.model.RestartPolicy;
import com.github.dockerjava.api.model.Volume;
import io.deli.lab.fault.ProcessFaults;
import io.deli.test.cluster.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.ImageFromDockerfile;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.lifecycle.Startables;

/**
 * The cluster of {@code docker/compose.yaml}, as that file has it but for the variables that it
 * leaves open: settings with time-outs for a cluster that is to suffer, and any port.
 */
final class ContainerCluster implements AutoCloseable {
  /** The region server that suffers. */
  static final String VICTIM = "regionserver-1";

  private static final Path ROOT = Path.of(System.getProperty("deli.root"));
  private static final Path DOCKER = ROOT.resolve("docker");
  static final Path COMPOSE = DOCKER.resolve("compose.yaml");
  private static final Path LOGS = ROOT.resolve("src-test/target/containers");
  private static final Duration START = Duration.ofMinutes(20);
  private static final String BASE = "DELI_BASE_IMAGE";
  private static final Pattern LIVE_SERVERS =
      Pattern.compile("\"tag.liveRegionServers\" *: *\"([^\"]*)\"");

  private final DockerClient engine = DockerClientFactory.instance().client();
  private final ComposeFile compose;
  private final Network network = Network.newNetwork();
  private final ImageFromDockerfile image;
  private final Map<String, String> volumes = new HashMap<>();
  private final Map<String, GenericContainer<?>> containers = new TreeMap<>();

  ContainerCluster() throws IOException {
    String imageName = "deli-test:" + UUID.randomUUID();
    compose = ComposeFile.read(COMPOSE, variables(imageName));
    image = image(imageName, compose.build());
    try {
      image.get();
      compose.services().forEach((name, service) -> containers.put(name, container(name, service)));
      containers.forEach(
          (name, container) ->
              container.dependsOn(
                  compose.services().get(name).dependsOn().stream().map(containers::get).toList()));
      Startables.deepStart(containers.values()).join();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** What the image is built on: {@code DELI_BASE_IMAGE}, else as the file has it. */
  static String baseImage() throws IOException {
    String base = System.getenv(BASE);
    Map<String, String> variables = base == null ? Map.of() : Map.of(BASE, base);
    return ComposeFile.read(COMPOSE, variables).build().arguments().get("BASE_IMAGE");
  }

  private static Map<String, String> variables(String imageName) throws IOException {
    String base = baseImage();
    return Map.of(
        "DELI_IMAGE",
        imageName,
        BASE,
        base,
        // The jars are there already, and what is left to do wants a shell only.
        "DELI_BUILD_IMAGE",
        base,
        "DELI_SITE",
        settings(),
        // as in other tests' JVMs: see the pom
        "DELI_JAVA_OPTS",
        "-XX:TieredStopAtLevel=1",
        // any that is free
        "DELI_MASTER_UI",
        "0");
  }

  /** With jars that the build has gathered, so that nothing is built or fetched within. */
  private static ImageFromDockerfile image(String name, ComposeFile.Build build) {
    Path gathered = ROOT.resolve("deli-dist").resolve("target");
    assertThat(gathered.resolve("deli/lib/classpath"))
        .as("what goes into the image: run 'mvn verify', which gathers it")
        .exists();
    Path context = DOCKER.resolve(build.context()).normalize();
    assertThat(context).isEqualTo(ROOT.normalize());
    return new ImageFromDockerfile(name, true)
        .withFileFromPath("Dockerfile", context.resolve(build.dockerfile()))
        .withFileFromPath("docker", DOCKER)
        .withFileFromPath("deli-dist/target/deli", gathered.resolve("deli"))
        .withFileFromPath("deli-dist/target/web", gathered.resolve("web"))
        .withBuildArgs(build.arguments());
  }

  private GenericContainer<?> container(String name, ComposeFile.Service service) {
    service.outside().volumes().keySet().forEach(this::createVolume);
    return new GenericContainer<>(service.image())
        .withCommand(service.role().command())
        .withNetwork(network)
        .withNetworkAliases(name)
        .withEnv(service.role().environment())
        .withCreateContainerCmdModifier(create -> confine(create, service))
        .waitingFor(Wait.forHealthcheck().withStartupTimeout(START));
  }

  private void createVolume(String name) {
    // by which Testcontainers removes what a JVM that was killed has left
    Map<String, String> labels = new HashMap<>(DockerClientFactory.DEFAULT_LABELS);
    labels.put(DockerClientFactory.TESTCONTAINERS_SESSION_ID_LABEL, DockerClientFactory.SESSION_ID);
    volumes.computeIfAbsent(
        name, absent -> engine.createVolumeCmd().withLabels(labels).exec().getName());
  }

  private void confine(CreateContainerCmd create, ComposeFile.Service service) {
    List<PortBinding> ports = service.outside().ports().stream().map(PortBinding::parse).toList();
    create
        .withHostName(service.role().hostname())
        .withStopTimeout((int) service.lifetime().stopGrace().toSeconds())
        .withExposedPorts(ports.stream().map(PortBinding::getExposedPort).toList())
        .getHostConfig()
        .withPortBindings(ports)
        .withBinds(
            service.outside().volumes().entrySet().stream()
                .map(mount -> new Bind(volumes.get(mount.getKey()), new Volume(mount.getValue())))
                .toList())
        .withMemory(service.limits().memory())
        .withCapDrop(
            service.limits().droppedCapabilities().stream()
                .map(Capability::valueOf)
                .toArray(Capability[]::new))
        .withSecurityOpts(service.limits().securityOptions())
        .withRestartPolicy(RestartPolicy.parse(service.lifetime().restart()));
  }

  private static String settings() {
    Map<String, String> settings = new TreeMap<>(ProcessFaults.settings(Duration.ofMinutes(3)));
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

  /** Names of containers, and what the file says of them. */
  Map<String, ComposeFile.Service> services() {
    return compose.services();
  }

  /** Where the engine published a port of a container, as {@code address:port}. */
  List<String> published(String name, int port) {
    Ports.Binding[] bindings =
        engine
            .inspectContainerCmd(containers.get(name).getContainerId())
            .exec()
            .getNetworkSettings()
            .getPorts()
            .getBindings()
            .get(ExposedPort.tcp(port));
    return Stream.of(bindings).map(Object::toString).toList();
  }

  /** The region servers that the master knows, as {@code host,port,start code}. */
  List<String> regionServers() throws IOException, InterruptedException {
    String page = beans("master", 16010, "Master");
    Matcher live = LIVE_SERVERS.matcher(page);
    assertThat(live.find()).as(page).isTrue();
    return List.of(live.group(1).split(";", -1));
  }

  private String beans(String container, int port, String process)
      throws IOException, InterruptedException {
    String request =
        "GET /jmx?qry=Hadoop:service=HBase,name=%s,sub=Server HTTP/1.0".formatted(process);
    return run(
        container,
        "bash",
        "-c",
        "exec 3<> /dev/tcp/127.0.0.1/%d && printf '%s\\r\\n\\r\\n' >&3 && cat <&3"
            .formatted(port, request));
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

  /**
   * Waits until the victim serves again, as a new server. The master lists it before it has its
   * ephemeral znode, without which nobody would notice its loss; it has that before its metrics.
   */
  void awaitReturn() throws Exception {
    Eventually.holdsElsewhere(
        () -> {
          assertThat(regionServers()).anyMatch(server -> server.startsWith(VICTIM));
          assertThat(beans(VICTIM, 16030, "RegionServer")).contains("regionCount");
        });
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
    volumes.values().forEach(volume -> engine.removeVolumeCmd(volume).exec());
    network.close();
  }
}
