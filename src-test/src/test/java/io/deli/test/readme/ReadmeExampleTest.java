package io.deli.test.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.MiniCluster;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program of the README is {@link Books}; it runs on what {@code deli-client} brings. */
class ReadmeExampleTest {
  private static final Path ROOT = Path.of(System.getProperty("deli.root"));
  private static final Path CLIENT = ROOT.resolve("deli-client/target");
  private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

  /** The artifacts that an application may get: HBase's client, and what that needs. */
  private static final Set<String> BROUGHT =
      Set.of(
          """
          deli-core hadoop-annotations hadoop-auth hadoop-common hadoop-shaded-guava
          hadoop-shaded-protobuf_3_25 hbase-client hbase-common hbase-hadoop-compat
          hbase-hadoop2-compat hbase-logging hbase-metrics hbase-metrics-api
          hbase-protocol hbase-protocol-shaded hbase-shaded-gson
          hbase-shaded-miscellaneous hbase-shaded-netty hbase-shaded-protobuf hbase-unsafe
          animal-sniffer-annotations audience-annotations avro bcprov-jdk18on checker-qual
          commons-cli commons-codec commons-collections4 commons-compress
          commons-configuration2 commons-crypto commons-io commons-lang3 commons-logging
          commons-math3 commons-net commons-text curator-client curator-framework
          curator-recipes dnsjava error_prone_annotations failureaccess gson guava
          httpclient httpcore j2objc-annotations jackson-annotations jackson-core
          jackson-databind javax.activation-api javax.annotation-api jcip-annotations
          jcodings joni jsr305 kerb-core kerb-crypto kerb-util kerby-asn1 kerby-config
          kerby-pkix kerby-util listenablefuture metrics-core netty-buffer netty-codec
          netty-common netty-handler netty-resolver netty-transport
          netty-transport-classes-epoll netty-transport-native-epoll
          netty-transport-native-unix-common nimbus-jose-jwt opentelemetry-api
          opentelemetry-context opentelemetry-semconv protobuf-java re2j slf4j-api
          snappy-java stax2-api woodstox-core zookeeper zookeeper-jute
          """
              .strip()
              .split("\\s+", -1));

  @Test
  void isWhatTheReadmeShows() throws IOException {
    Examples.areRunBy(Books.class, "README.md");
  }

  @Test
  void dependencyIsThisVersion() throws IOException {
    assertThat(version(ROOT.resolve("docs/guide.md"))).isEqualTo(version(ROOT.resolve("pom.xml")));
  }

  private static String version(Path file) throws IOException {
    Matcher version = VERSION.matcher(Files.readString(file));
    assertThat(version.find()).isTrue();
    return version.group(1);
  }

  /** HBase's client and what it needs: no web server, and no logging but its interface. */
  @Test
  void deliClientBringsNoServerAndNoLogging() throws IOException {
    assertThat(classPath().stream().filter(entry -> entry.endsWith(".jar")))
        .extracting(jar -> new File(jar).getName().replaceFirst("-\\d.*", ""))
        .isSubsetOf(BROUGHT);
  }

  /** As an application: with nothing else of this JVM. */
  @Test
  void runsOnWhatDeliClientBrings(@TempDir Path application) throws Exception {
    MiniCluster.writeSite(MiniCluster.configuration(), application);
    String main = Books.class.getName().replace('.', '/') + ".class";
    Files.createDirectories(application.resolve(main).getParent());
    try (InputStream compiled = Books.class.getResourceAsStream("/" + main)) {
      Files.copy(compiled, application.resolve(main));
    }
    List<URL> urls = new ArrayList<>(List.of(application.toUri().toURL()));
    for (String entry : classPath()) {
      urls.add(new File(entry).toURI().toURL());
    }
    assertThat(run(urls)).startsWith("b1 @ ");
  }

  private static String run(List<URL> urls) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream stdout = System.out;
    Thread thread = Thread.currentThread();
    ClassLoader own = thread.getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      thread.setContextClassLoader(loader);
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      loader
          .loadClass(Books.class.getName())
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(stdout);
      thread.setContextClassLoader(own);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  /** As the build resolved it, with the module itself. */
  private static List<String> classPath() throws IOException {
    Path list = CLIENT.resolve("classpath");
    assertThat(list).as("made by 'mvn process-classes'").exists();
    List<String> entries = new ArrayList<>(List.of(CLIENT.resolve("classes").toString()));
    entries.addAll(Arrays.asList(Files.readString(list).strip().split(File.pathSeparator, -1)));
    return entries;
  }
}
