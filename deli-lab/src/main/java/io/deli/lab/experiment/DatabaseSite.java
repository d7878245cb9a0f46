package io.deli.lab.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Provides the database that experiments compare with. */
public final class DatabaseSite implements AutoCloseable {
  private final Optional<Database> given;
  private final Path parent;
  private final Size size;
  private Optional<OwnMariaDb> own = Optional.empty();

  /**
   * A site.
   *
   * @param url of a database that is there
   * @param parent where an own one gets a new directory, which is deleted in the end
   * @param size of the experiments, whose rows its memory is to hold
   */
  public DatabaseSite(Optional<String> url, Path parent, Size size) {
    given = url.map(Database::new);
    this.parent = parent;
    this.size = size;
  }

  /** The named database, else an own MariaDB if one is installed. */
  Optional<Database> database() throws IOException {
    if (given.isEmpty() && own.isEmpty()) {
      Optional<Path> server = OwnMariaDb.installed();
      if (server.isPresent()) {
        own = Optional.of(OwnMariaDb.start(server.get(), parent, size.pick(128, 256, 1024)));
      }
    }
    return given.or(() -> own.map(OwnMariaDb::database));
  }

  /**
   * Connects to the one that was named, if any.
   *
   * @throws IOException if it does not answer
   */
  public void check() throws IOException {
    if (given.isPresent()) {
      given.get().description();
    }
  }

  @Override
  public void close() {
    own.ifPresent(OwnMariaDb::close);
    own = Optional.empty();
  }
}
