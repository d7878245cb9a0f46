package io.deli.lab.experiment;

import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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
  private static final long GLANCE_MILLIS = 100;
  private static final String NAME = "deli";

  private final Path directory;
  private final OwnProcess server;
  private final int port;

  private OwnMariaDb(Path directory, OwnProcess server, int port) {
    this.directory = directory;
    this.server = server;
    this.port = port;
  }

  /** The server program, if there is one and what makes its first data. */
  static Optional<Path> installed() {
    return INSTALLERS.stream().anyMatch(name -> program(name).isPresent())
        ? SERVERS.stream().flatMap(name -> program(name).stream()).findFirst()
        : Optional.empty();
  }

  private static Optional<Path> program(String name) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.of((path + File.pathSeparator + SYSTEM_PROGRAMS).split(File.pathSeparator))
        .filter(each -> !each.isEmpty())
        .map(each -> Path.of(each, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * On data of its own in a new directory there.
   *
   * @param bufferMegabytes of memory for its pages
   */
  static OwnMariaDb start(Path server, Path parent, int bufferMegabytes) throws IOException {
    Path directory = Files.createTempDirectory(Files.createDirectories(parent), "mariadb-");
    try {
      install(directory);
    } catch (IOException | RuntimeException e) {
      OwnProcess.delete(List.of(directory));
      throw e;
    }
    int port = freePort();
    // Short, since the path of a socket may not be longer than 107 bytes.
    Path sockets = Files.createTempDirectory("deli");
    ProcessBuilder command =
        command(
            directory,
            server.toString(),
            "--innodb-buffer-pool-size=" + bufferMegabytes + "M",
            "--bind-address=127.0.0.1",
            "--port=" + port,
            "--socket=" + sockets.resolve("socket"),
            "--pid-file=" + directory.resolve("pid"));
    OwnMariaDb started =
        new OwnMariaDb(directory, OwnProcess.start(command, directory, sockets), port);
    try {
      started.await();
      return started;
    } catch (IOException | RuntimeException e) {
      started.close();
      throw e;
    }
  }

  /** Makes its first data. */
  private static void install(Path directory) throws IOException {
    Path installer =
        INSTALLERS.stream().flatMap(name -> program(name).stream()).findFirst().orElseThrow();
    try {
      if (command(directory, installer.toString(), "--auth-root-authentication-method=normal")
              .start()
              .waitFor()
          != 0) {
        throw failure(directory);
      }
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  private static ProcessBuilder command(Path directory, String program, String... more) {
    List<String> command = new ArrayList<>();
    command.add(program);
    command.add("--no-defaults");
    command.add("--datadir=" + directory.resolve("data"));
    // As root it refuses to run unless told so.
    command.add("--user=" + System.getProperty("user.name"));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log(directory).toFile()));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static Path log(Path directory) {
    return directory.resolve("mariadb.out");
  }

  private static Failure failure(Path directory) throws IOException {
    String said = Files.readString(log(directory), StandardCharsets.UTF_8);
    return new Failure(
        ExitCode.UNAVAILABLE, "the MariaDB of the experiment did not start: " + said.strip());
  }

  private void await() throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (!isCreated()) {
        if (!server.process().isAlive() || System.nanoTime() > deadline) {
          throw failure(directory);
        }
        server.process().waitFor(GLANCE_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  /** False as long as it does not answer. */
  private boolean isCreated() {
    try (Connection connection = new Database(url("")).connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE IF NOT EXISTS " + NAME);
      return true;
    } catch (IOException | SQLException e) {
      return false;
    }
  }

  private String url(String database) {
    return "jdbc:mariadb://127.0.0.1:%d/%s?user=root".formatted(port, database);
  }

  Database database() {
    return new Database(url(NAME));
  }

  @Override
  public void close() {
    server.close();
  }
}
