package io.deli.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.tools.embedded.DataDirectory;
import io.deli.tools.embedded.Ports;
import io.deli.tools.output.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What a wrong command line gets, without any HBase. */
class CommandLineTest {
  /** By Linux; other systems begin later. */
  private static final int FIRST_OUTGOING = 32_768;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "nonsense | nonsense",
        "create-table | TABLE",
        "create-table t | column family",
        "create-table t!t d | no table name",
        "create-table t d --versions 0 | at least 1",
        "create-index t i nocolumn | family:qualifier",
        "create-index t i! d:c | index name",
        "create-index t i d:c --where d:e | write family:qualifier=value",
        "create-index t i d:c --type LONG --split x | 'x' is not a valid LONG (-9223",
        "create-index t i d:c --threads 2 | --threads",
        "create-index t i d:c --type INT --split 1e9 | not a valid INT (-2147483648 to 2147483647)",
        "create-index t i d:c --mapreduce | give --build",
        "create-index t i d:c --build --mapreduce --strategy eager | without --mapreduce",
        "create-index t i d:c --build --rate 5 --strategy embedded | --rate does not apply",
        "create-index t i d:c --build --regions 2 --strategy none | has no index table",
        "build t i --mapreduce --rate 5 | leave them out",
        "build t i --mapreduce --zookeeper host:1 | core-site.xml",
        "create-index t i d:c --files | give --build",
        "create-index t i d:c --build --files --strategy eager | without --files",
        "build t i --files --mapreduce | --mapreduce and --files exclude each other",
        "build t i --files --zookeeper host:1 | core-site.xml",
        "build t i --threads 0 | at least 1",
        "verify t i --mapreduce --resume BASE: | --mapreduce and --resume exclude each other",
        "verify t i --mapreduce --minutes 5 | --mapreduce and --minutes exclude each other",
        "verify t i --mapreduce --rate 5 | --mapreduce and --rate exclude each other",
        "verify t i --mapreduce --threads 5 | --mapreduce and --threads exclude each other",
        "verify t i --mapreduce --zookeeper host:1 | core-site.xml",
        "query t i | which values",
        "query t i --equal 1 --prefix 2 | --equal and --prefix exclude each other",
        "query t i --equal 1 --to 2 | --equal and --to exclude each other",
        "query t i --from 1 --after 2 | --from and --after exclude each other",
        "query t i --equal 1 --types c=INT | --types",
        "query t i --equal 1 --continue xyz | 'xyz'",
        "query t i --equal 1 --limit -1 | at least 1",
        "query t i --equal 1 --most-recent 2 --reverse | --most-recent and --reverse exclude",
        "query t i --equal 1 --most-recent 2 --continue xyz | --most-recent and --continue exclude",
        "query t i --equal 1 --versions 0 | at least 1",
        "query t i --equal 1 --and nothing | no condition",
        "query t i --equal 1 --as-of yesterday | milliseconds",
        "query t i --equal 1 --continue !! | no continuation",
        "load t missing.csv --key id | cannot read missing.csv",
        "load t /tmp --key id | cannot read /tmp: it is a directory",
        "load t --key id --input jsonl --columns a | JSON Lines",
        "load t --key id --input jsonl --delimiter ; | JSON Lines",
        "load t --key id --input jsonl --null x | JSON Lines",
        "load t --key id --input tsv --quote ' | TSV",
        "load t --key id --quote xx | one character",
        "put t k d:c=1 --timestamp -1 | negative",
        "get t k --versions 0 | at least 1",
        "stats t --sample -1 | negative",
        "stats t --regions --sample 5 | --regions and --sample exclude each other",
        "stats t i --regions | INDEX",
        "collect t --no-sweep --sweep-rate 5 | --no-sweep and --sweep-rate exclude each other",
        "settings --data d | --data does not apply to settings",
        "settings --zookeeper h:1 | --zookeeper does not apply to settings",
        "settings --json --format csv | --json and --format exclude each other",
        "settings --site --format csv | --site and --format exclude each other",
        "standalone --zookeeper h:1 | --zookeeper does not apply to standalone",
        "standalone --conf c | --conf does not apply to standalone",
        "standalone --json | --json does not apply to standalone",
        "dashboard --json | --json does not apply to dashboard",
        "demo --json | --json does not apply to demo",
        "indexes --zookeeper h:1 --data d | --zookeeper and --data exclude each other",
        "indexes --zookeeper host:port | HOST:PORT",
        "indexes --zookeeper [::1]:2181 | ZooKeeper at '[::1]'",
        "indexes --zookeeper one:two,three:2181 | ZooKeeper at 'one:two'",
        "indexes --conf /nowhere | hbase-site.xml",
        "standalone --dashboard-port 99999 | --dashboard-port 99999",
        "dashboard --port 65536 | --port 65536",
      })
  void isRefusedInOneLineThatSaysWhy(String line, String reason) {
    assertThat(run(line.trim().split(" ", -1))).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(reason.trim());
    assertThat(err.toString(StandardCharsets.UTF_8).lines().count()).isLessThanOrEqualTo(2);
  }

  @Test
  void helpOfCommandsBeginsWithAWholeSentence() {
    Map<String, CommandLine> commands =
        new CommandLine(new DeliCommand(terminal())).getSubcommands();
    assertThat(commands).isNotEmpty();
    commands.forEach(
        (name, command) ->
            assertThat(command.getCommandSpec().usageMessage().description()[0])
                .as(name)
                .endsWith("."));
  }

  @Test
  void helpTellsEscapesOfFilesFromThoseOfValues() {
    for (String command : List.of("query", "put", "get", "load")) {
      assertThat(run(command, "--help")).isZero();
    }
    String help = out.toString(StandardCharsets.UTF_8).replaceAll("\\s+", " ");
    assertThat(help)
        .contains("Of the file, not of values: takes the next character literally")
        .contains("In values of STRING and BYTES, \\xNN is a byte");
  }

  @Test
  void aClusterThatDoesNotAnswerHasItsOwnExitCode() throws Exception {
    int closed = Ports.ANY.resolve().zookeeper();

    assertThat(run("indexes", "--zookeeper", "localhost:" + closed))
        .isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("no ZooKeeper answers");
  }

  @Test
  void noOutgoingConnectionCanHaveAPortThatIsChosen() {
    Ports ports = Ports.ANY.resolve();

    assertThat(
            Stream.of(
                ports.zookeeper(), ports.ui(), ports.master(), ports.server(), ports.serverUi()))
        .doesNotHaveDuplicates()
        .allMatch(port -> port < FIRST_OUTGOING);
  }

  @Test
  void aTakenPortIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Ports ports = new Ports(0, taken.getLocalPort(), 0, 0, 0);

      Assertions.assertThatThrownBy(ports::resolve)
          .isInstanceOf(Failure.class)
          .hasMessageContaining("port " + taken.getLocalPort() + " is not free")
          .hasMessageContaining("--ui-port");
    }
  }

  @Test
  void aDataDirectoryIsForOneAtATime() {
    DataDirectory data = new DataDirectory(directory);
    try (DataDirectory.Lock lock = data.tryLock().orElseThrow()) {
      assertThat(lock).isNotNull();
      assertThat(data.tryLock()).isEmpty();
      assertThat(run("standalone", "--data", directory.toString())).isEqualTo(ExitCode.UNAVAILABLE);
    }
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("already");
    data.tryLock().orElseThrow().close();
  }

  @Test
  void aTakenPortOfTheDashboardIsNamedBeforeHBaseStarts() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(taken.getLocalPort());

      assertThat(run("standalone", "--data", directory.toString(), "--dashboard-port", port))
          .isEqualTo(ExitCode.UNAVAILABLE);
    }
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("--dashboard-port");
    assertThat(directory.resolve("hbase")).doesNotExist();
    new DataDirectory(directory).tryLock().orElseThrow().close();
  }

  @Test
  void aDataPathWithAPercentSignIsRefused() {
    String path = directory.resolve("100%").toString();

    assertThat(run("create-table", "t", "d", "--data", path)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("percent sign, " + path);
    new DataDirectory(Path.of(path)).tryLock().orElseThrow().close();
  }

  @ParameterizedTest
  @CsvSource({"settings, 1", "settings --json, 1", "--help, 1", "settings --data d, 2"})
  void outputThatCannotBeWrittenIsAnError(String line, int code) {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    Terminal terminal =
        new Terminal(terminal().in(), new PrintStream(full), terminal().err(), false);

    assertThat(new DeliCommand(terminal).run(line.split(" ", -1))).isEqualTo(code);
    boolean printed = code == ExitCode.FAILED;
    assertThat(err.toString(StandardCharsets.UTF_8).contains("output is lost")).isEqualTo(printed);
  }

  @Test
  void aDashboardStartsNoHBase() {
    assertThat(run("dashboard", "--port", "0", "--data", directory.toString()))
        .isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("no HBase runs here");
    assertThat(directory).isEmptyDirectory();
  }

  private int run(String... args) {
    return new DeliCommand(terminal()).run(args);
  }

  private Terminal terminal() {
    return new Terminal(
        new ByteArrayInputStream(new byte[0]),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        false);
  }
}
