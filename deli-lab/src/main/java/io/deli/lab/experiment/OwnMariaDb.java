package io.deli.lab.experiment;

import io.deli.lab.cluster.FreePorts;
import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
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
import java.util.stream.Stream;

/**
 * A MariaDB with default settings but for its buffer, for the time of an experiment, of the
 * programs that are installed. Its data is thrown away.
 */
final class OwnMariaDb implements AutoCloseable {
  private static final List<String> SERVERS = List.of("mariadbd", "mysqld");
  private static final List<String> INSTALLERS = List.of("mariadb-install-db", "mysql_install_db");

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
    String[] directories = (path + File.pathSeparator + SYSTEM_PROGRAMS).split(File.pathSeparator);
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
      new Database(url(""), OptionalLong.empty()).execute("CREATE DATABASE IF NOT EXISTS " + NAME);
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
