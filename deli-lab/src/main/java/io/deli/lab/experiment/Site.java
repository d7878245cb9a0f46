package io.deli.lab.experiment;

import io.deli.lab.experiment.OwnHBase.Premises;
import io.deli.lab.experiment.OwnHBase.ServerNeeds;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import io.deli.tools.Session;
import io.deli.tools.embedded.FreePorts;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The HBase that experiments run on, and the database that they compare with: given ones, or their
 * own in a directory, which are thrown away.
 */
public final class Site implements AutoCloseable {
  private final boolean isGiven;
  private final Optional<Database> givenDatabase;
  private final Path parent;
  private final Size size;
  private final Function<String, Session> connecting;
  private Optional<Session> session;
  private Optional<OwnHBase> hbase = Optional.empty();
  private Optional<OwnMariaDb> mariaDb = Optional.empty();

  /**
   * A site.
   *
   * @param given a session to an HBase, whatever an experiment wants
   * @param jdbc the URL of a database
   * @param size of the experiments, whose rows a database's memory is to hold
   * @param connecting opens a session to a ZooKeeper
   */
  public Site(
      Optional<Session> given,
      Optional<String> jdbc,
      Path parent,
      Size size,
      Function<String, Session> connecting) {
    this.isGiven = given.isPresent();
    this.session = given;
    this.givenDatabase = jdbc.map(url -> new Database(url, OptionalLong.empty()));
    this.parent = parent;
    this.size = size;
    this.connecting = connecting;
  }

  /** A session to an HBase, started anew whenever one wants another than the last one did. */
  Session session(ServerNeeds needs) throws IOException {
    if (!isGiven && hbase.filter(own -> own.needs().equals(needs)).isEmpty()) {
      closeHBase();
      hbase = Optional.of(new OwnHBase(parent, needs));
      session = Optional.of(connecting.apply(hbase.get().zookeeper()));
    }
    return session.orElseThrow();
  }

  /** Describes the HBase beyond its version. */
  String description(ServerNeeds needs) {
    return isGiven
        ? "as it was found"
        : "a JVM of its own, heap %d MB%s"
            .formatted(
                needs.heapMegabytes(), needs.settings().isEmpty() ? "" : ", " + needs.settings());
  }

  Premises premises() {
    return hbase.map(OwnHBase::premises).orElse(Premises.UNKNOWN);
  }

  /** The named database, else an own MariaDB if one is installed. */
  Optional<Database> database() throws IOException {
    if (givenDatabase.isEmpty() && mariaDb.isEmpty()) {
      mariaDb = OwnMariaDb.start(parent, size.pick(128, 256, 1024));
    }
    return givenDatabase.or(() -> mariaDb.map(OwnMariaDb::database));
  }

  /** Fails if the database that was named, if any, does not answer. */
  public void checkDatabase() throws IOException {
    if (givenDatabase.isPresent()) {
      givenDatabase.get().description();
    }
  }

  private void closeHBase() throws IOException {
    if (session.isPresent()) {
      session.get().close();
    }
    hbase.ifPresent(OwnHBase::close);
    session = Optional.empty();
    hbase = Optional.empty();
  }

  @Override
  public void close() throws IOException {
    mariaDb.ifPresent(OwnMariaDb::close);
    closeHBase();
  }

  /**
   * A MariaDB with default settings but for its buffer, for the time of an experiment, of the
   * programs that are installed. Its data is thrown away.
   */
  private static final class OwnMariaDb implements AutoCloseable {
    private static final List<String> SERVERS = List.of("mariadbd", "mysqld");
    private static final List<String> INSTALLERS =
        List.of("mariadb-install-db", "mysql_install_db");

    /** Debian's directory of servers; not on everybody's path. */
    private static final String SYSTEM_PROGRAMS = "/usr/sbin";

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String NAME = "deli";

    private final Path directory;
    private final OwnProcess server;
    private final int port = new FreePorts().next();

    static Optional<OwnMariaDb> start(Path parent, int bufferMegabytes) throws IOException {
      Optional<Path> server = program(SERVERS);
      Optional<Path> installer = program(INSTALLERS);
      return server.isPresent() && installer.isPresent()
          ? Optional.of(new OwnMariaDb(server.get(), installer.get(), parent, bufferMegabytes))
          : Optional.empty();
    }

    private OwnMariaDb(Path program, Path installer, Path parent, int bufferMegabytes)
        throws IOException {
      directory = Files.createTempDirectory(Files.createDirectories(parent), "mariadb-");
      // Short, since the path of a socket may not be longer than 107 bytes.
      Path sockets = Files.createTempDirectory("deli");
      Process install = command(installer, "--auth-root-authentication-method=normal").start();
      boolean installed = install.onExit().join().exitValue() == 0;
      server =
          OwnProcess.start(
              command(
                  program,
                  "--innodb-buffer-pool-size=" + bufferMegabytes + "M",
                  "--bind-address=127.0.0.1",
                  "--port=" + port,
                  "--socket=" + sockets.resolve("socket"),
                  "--pid-file=" + directory.resolve("pid")),
              directory,
              sockets);
      if (!installed || !server.comesUp(PATIENCE, this::isCreated)) {
        String said = Files.readString(log(), StandardCharsets.UTF_8);
        close();
        throw new Failure(
            ExitCode.UNAVAILABLE, "the MariaDB of the experiment did not start: " + said.strip());
      }
    }

    private static Optional<Path> program(List<String> names) {
      String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
      String[] directories =
          (path + File.pathSeparator + SYSTEM_PROGRAMS).split(File.pathSeparator);
      return names.stream()
          .flatMap(name -> Stream.of(directories).map(each -> Path.of(each, name)))
          .filter(Files::isExecutable)
          .findFirst();
    }

    private ProcessBuilder command(Path program, String... more) {
      List<String> command = new ArrayList<>();
      command.add(program.toString());
      command.add("--no-defaults");
      command.add("--datadir=" + directory.resolve("data"));
      // As root it refuses to run unless told so.
      command.add("--user=" + System.getProperty("user.name"));
      command.addAll(List.of(more));
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    }

    private Path log() {
      return directory.resolve("mariadb.out");
    }

    private boolean isCreated() {
      try {
        new Database(url(""), OptionalLong.empty())
            .execute("CREATE DATABASE IF NOT EXISTS " + NAME);
        return true;
      } catch (IOException e) {
        return false;
      }
    }

    private String url(String database) {
      return "jdbc:mariadb://127.0.0.1:%d/%s?user=root".formatted(port, database);
    }

    Database database() {
      return new Database(url(NAME), OptionalLong.of(server.process().pid()));
    }

    @Override
    public void close() {
      server.close();
    }
  }
}
