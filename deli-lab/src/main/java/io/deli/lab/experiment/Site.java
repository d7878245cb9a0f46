package io.deli.lab.experiment;

import io.deli.tools.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** The HBase that experiments run on: one that is there, or one of their own. */
public abstract sealed class Site implements AutoCloseable {
  /** One that is there, whatever an experiment wants. */
  public static Site given(Session session) {
    return new Given(session);
  }

  /**
   * One of their own, started anew whenever an experiment wants another than the last one did.
   *
   * @param parent where it gets a new directory, which is deleted in the end
   * @param connecting opens a session to a ZooKeeper
   */
  public static Site own(Path parent, Function<String, Session> connecting) {
    return new Own(parent, connecting);
  }

  /** A session to an HBase; the site closes it. */
  abstract Session session(ServerNeeds needs) throws IOException;

  /** Describes the HBase beyond its version. */
  abstract String description(ServerNeeds needs);

  /** The premises of the HBase. */
  abstract Premises premises();

  @Override
  public abstract void close() throws IOException;

  private static final class Given extends Site {
    private final Session session;

    Given(Session session) {
      this.session = session;
    }

    @Override
    Session session(ServerNeeds needs) {
      return session;
    }

    @Override
    String description(ServerNeeds needs) {
      return "as it was found";
    }

    @Override
    Premises premises() {
      return Premises.UNKNOWN;
    }

    @Override
    public void close() throws IOException {
      session.close();
    }
  }

  private static final class Own extends Site {
    private final Path parent;
    private final Function<String, Session> connecting;
    private Optional<OwnHBase> hbase = Optional.empty();
    private Optional<Session> session = Optional.empty();
    private Optional<ServerNeeds> current = Optional.empty();

    Own(Path parent, Function<String, Session> connecting) {
      this.parent = parent;
      this.connecting = connecting;
    }

    @Override
    Session session(ServerNeeds needs) throws IOException {
      if (!current.equals(Optional.of(needs))) {
        close();
        OwnHBase started = OwnHBase.start(parent, needs);
        hbase = Optional.of(started);
        session = Optional.of(connecting.apply(started.zookeeper()));
        current = Optional.of(needs);
      }
      return session.orElseThrow();
    }

    @Override
    String description(ServerNeeds needs) {
      return "a JVM of its own, heap %d MB%s"
          .formatted(
              needs.heapMegabytes(),
              needs.settings().isEmpty() ? "" : ", " + new TreeMap<>(needs.settings()));
    }

    @Override
    Premises premises() {
      return hbase.map(OwnHBase::premises).orElse(Premises.UNKNOWN);
    }

    @Override
    public void close() throws IOException {
      if (session.isPresent()) {
        session.get().close();
      }
      hbase.ifPresent(OwnHBase::close);
      session = Optional.empty();
      hbase = Optional.empty();
      current = Optional.empty();
    }
  }
}
