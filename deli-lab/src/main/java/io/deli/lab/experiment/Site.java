package io.deli.lab.experiment;

import io.deli.lab.experiment.OwnHBase.Premises;
import io.deli.lab.experiment.OwnHBase.ServerNeeds;
import io.deli.tools.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

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
}
