package io.deli.test.fault;

import io.deli.client.DeliConnection;
import io.deli.client.internal.connect.Wiring;
import io.deli.client.internal.write.TableClient;
import io.deli.client.internal.write.TableClients;
import io.deli.client.internal.write.WriteContext;
import io.deli.entry.RowClock;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;

/**
 * A connection whose writes all wait at a gate before they go to the base table, by whatever way,
 * and whose time goes on when the test says so.
 */
public final class HeldConnection extends DeliConnection {
  private final Gate gate;
  private final AtomicLong leap;

  /** Where writes wait, and how many do. */
  private static final class Gate {
    private final CompletableFuture<Void> open = new CompletableFuture<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean deaf;

    CompletableFuture<Void> pass() {
      waiting.incrementAndGet();
      return open;
    }

    /** The answer to a request, or its loss. */
    Object heard(Object answer) {
      return deaf ? new IOException("the answer is lost") : answer;
    }
  }

  private HeldConnection(Connection real, Gate gate, AtomicLong leap) throws IOException {
    super(
        held(real, gate),
        new Wiring(
            new WriteContext(
                new RowClock(InstantSource.system())::next,
                InstantSource.system(),
                () -> System.nanoTime() + leap.get()),
            ports -> new HeldPorts(ports, gate)));
    this.gate = gate;
    this.leap = leap;
  }

  public static HeldConnection open(Configuration configuration) throws IOException {
    return new HeldConnection(
        ConnectionFactory.createConnection(configuration), new Gate(), new AtomicLong());
  }

  /** How many requests wait at the gate. */
  public int waiting() {
    return gate.waiting.get();
  }

  /** Lets them pass, and all that follow. */
  public void release() {
    gate.open.complete(null);
  }

  /** Lets them pass, but loses the answers. */
  public void releaseDeaf() {
    gate.deaf = true;
    release();
  }

  /** The time by which definitions age goes on by so much. */
  public void leap(long nanos) {
    leap.addAndGet(nanos);
  }

  /** HBase's own connection, for what goes past DELI. */
  private static Connection held(Connection real, Gate gate) {
    return Proxies.of(
        Connection.class,
        (proxy, method, arguments) -> {
          Object answer = Proxies.call(real, method, arguments);
          return answer instanceof Table table ? held(table, gate) : answer;
        });
  }

  private static Table held(Table real, Gate gate) {
    Set<String> writes =
        Set.of(
            "put",
            "delete",
            "batch",
            "batchCallback",
            "mutateRow",
            "checkAndMutate",
            "append",
            "increment");
    return Proxies.of(
        Table.class,
        (proxy, method, arguments) -> {
          if (writes.contains(method.getName())) {
            gate.pass().join();
          }
          Object answer = Proxies.call(real, method, arguments);
          if (gate.heard(answer) instanceof IOException lost && writes.contains(method.getName())) {
            throw lost;
          }
          return answer;
        });
  }

  /** The ways of what DELI writes. */
  private static final class HeldPorts extends ForwardingTableClients {
    private final Gate gate;

    HeldPorts(TableClients real, Gate gate) {
      super(real);
      this.gate = gate;
    }

    @Override
    public TableClient base(TableName table) {
      return new HeldPort(super.base(table), gate);
    }

    @Override
    public TableClient alone(TableName table) {
      return new HeldPort(super.alone(table), gate);
    }

    @Override
    public TableClient plain(TableName table) {
      return new HeldPort(super.plain(table), gate);
    }
  }

  private record HeldPort(TableClient real, Gate gate) implements TableClient {
    @Override
    public CompletableFuture<Object[]> send(List<? extends Row> operations) {
      return gate.pass()
          .thenCompose(open -> real.send(operations))
          .thenApply(answers -> Stream.of(answers).map(gate::heard).toArray());
    }
  }
}
