package io.deli.test.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.lab.cluster.Daemon;
import io.deli.lab.cluster.Role;
import io.deli.test.cluster.OperatedCluster;
import io.deli.test.cluster.ProcessClusterExtension;
import io.deli.test.tools.Cli.Outcome;
import io.deli.test.tools.ShellExamples.Call;
import io.deli.tools.ExitCode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code lab cluster}, and the other commands on such a cluster. */
@ExtendWith(ProcessClusterExtension.class)
class ClusterCommandTest {
  private final OperatedCluster cluster;
  @TempDir private Path directory;
  private Cli deli;

  ClusterCommandTest(OperatedCluster cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void connect() {
    deli = new Cli("--conf", cluster.conf().toString());
  }

  /** By {@code $DELI_CONF}, from what is installed, which nothing writes into. */
  @Test
  void servesAnInstallationByItsConfiguration() throws Exception {
    Installation installed = Installation.in(directory, cluster.conf());
    Map<String, FileTime> before = installed.files();
    succeed(installed.run("create-table", "airfields", "d"));
    succeed(installed.run("create-index", "airfields", "by_country", "d:country"));
    String rows = "id,country\n1,Peru\n2,Peru\n2,Chile\n";
    succeed(installed.runWith(rows, "load", "airfields", "--key", "id"));

    assertThat(succeed(installed.run("query", "airfields", "by_country", "--equal", "Peru")))
        .contains("(1 row)");
    assertThat(succeed(installed.run("verify", "airfields", "by_country")))
        .contains("holds every version that was compared");
    assertThat(succeed(installed.run("collect", "airfields", "--format", "csv")))
        .contains("by_country,3,2,1,");
    assertThat(installed.files()).isEqualTo(before);
    assertThat(installed.home()).isEmptyDirectory();
  }

  /** The master has nothing of DELI on its class path; it loads the same jar. */
  @Test
  void theMasterRefusesToRestoreATableBesideItsIndex() throws Exception {
    succeed(deli.run("create-table", "restored", "d"));
    succeed(deli.run("create-index", "restored", "by_country", "d:country"));
    try (Admin hbase = cluster.connection().getAdmin()) {
      TableName table = TableName.valueOf("restored");
      hbase.snapshot("of_restored", table);
      hbase.disableTable(table);
      assertThatThrownBy(() -> hbase.restoreSnapshot("of_restored", false))
          .hasStackTraceContaining("deli disable-index restored by_country");
      hbase.disableTable(TableName.valueOf("restored.by_country"));
      hbase.restoreSnapshot("of_restored", false);
    }
    succeed(deli.run("disable-index", "restored", "by_country"));
  }

  @Test
  void thePageShowsHowToUseIt() throws Exception {
    Path page = Path.of(System.getProperty("deli.root"), "docs", "reference.md");
    List<List<String>> run = new ArrayList<>();
    for (Call call : ShellExamples.run(page, directory)) {
      // The shared cluster is stopped, in the same way, after the last test.
      if (call.isForCluster() && !call.arguments().equals(List.of("cluster", "stop"))) {
        List<String> arguments = new ArrayList<>(call.arguments());
        arguments.replaceAll(
            argument ->
                argument.equals(".deli/cluster/conf") ? cluster.conf().toString() : argument);
        String[] target = arguments.contains("--conf") ? new String[0] : data();
        succeed(call.cli(target).run(arguments.toArray(String[]::new)));
        run.add(call.arguments());
      }
    }
    assertThat(run).hasSizeGreaterThan(2);
  }

  @Test
  void tellsWhatDoesNotRunAndStartsIt() {
    Daemon dead = cluster.daemons(Role.REGION_SERVER).get(1);
    dead.kill();
    Outcome status = Cli.lab(data()).run("cluster", "status", "--format", "csv");
    assertThat(status.code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(status.out())
        .contains(dead.node().name() + ",stopped,")
        .containsPattern("zookeeper,runs,[0-9]+,");

    Outcome start = Cli.lab(data()).run("cluster", "start");

    succeed(start);
    assertThat(start.err()).contains("starting " + dead.node().name() + ",");
    assertThat(start.err()).doesNotContain("starting zookeeper");
    assertThat(succeed(Cli.lab(data()).run("cluster", "status"))).doesNotContain("stopped");
  }

  @Test
  void refusesWhatWouldNotTakeEffect() {
    Cli own = Cli.lab(data());
    own.run("cluster", "start", "--region-servers", "3")
        .assertFails(ExitCode.USAGE, "has 2 region");
    own.run("cluster", "start", "--set", "a=b").assertFails(ExitCode.USAGE, "stop the cluster");
    own.run("cluster", "start", "--jar", "nowhere.jar").assertFails(ExitCode.USAGE, "nowhere.jar");
  }

  @Test
  void anUnknownDirectoryHasNoCluster() {
    Cli nothing = Cli.lab("--data", directory.resolve("new").toString());
    Outcome status = nothing.run("cluster", "status");
    assertThat(status.code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(status.out()).contains("(0 rows)", "serves: false", "lacks: it was never started");
    nothing.run("cluster", "start").assertFails(ExitCode.USAGE, "--jar is missing");
  }

  @Test
  void aProcessThatCannotHaveItsPortIsNamed() throws Exception {
    Daemon server = cluster.daemons(Role.REGION_SERVER).get(0);
    server.kill();
    try (ServerSocket taken =
        new ServerSocket(server.node().port(), 1, InetAddress.getLoopbackAddress())) {
      Cli.lab(data())
          .run("cluster", "start")
          .assertFails(
              ExitCode.UNAVAILABLE, "port " + taken.getLocalPort() + " of " + server.node().name());
    }
    succeed(Cli.lab(data()).run("cluster", "start"));
  }

  private String[] data() {
    return new String[] {"--data", cluster.directory().toString()};
  }

  private static String succeed(Outcome outcome) {
    assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
    return outcome.out();
  }
}
