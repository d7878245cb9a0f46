package io.deli.lab.campaign;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.config.DeliSettings;
import io.deli.lab.campaign.SharedState.Order;
import io.deli.lab.cluster.ProcessCluster;
import io.deli.lab.torture.Client;
import io.deli.lab.torture.ClientClock;
import io.deli.lab.torture.ContendedLists;
import io.deli.lab.torture.ContendedReader;
import io.deli.lab.torture.ContendedRows;
import io.deli.lab.torture.ContendedWriter;
import io.deli.lab.torture.QuerySource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * A client process of a campaign: threads that write and read until {@link SharedState} says that
 * they are to end. It ends itself when the process that started it is gone.
 */
public final class CampaignClient {
  private static final long BEAT_MILLIS = 50;
  private static final int THREADS = 12;

  /** Of a hundred calls. */
  private static final int WRITES = 46;

  private static final int LISTS = 28;

  private final ClientPlan plan;
  private final SharedState shared;
  private final HistoryFile history;
  private final ContendedRows rows;

  private CampaignClient(ClientPlan plan, String name) throws IOException {
    this.plan = plan;
    this.shared = plan.shared();
    this.history = new HistoryFile(Path.of(plan.directory()), name);
    this.rows =
        new ContendedRows(
            List.of(ContendedRows.Kind.values()), CellSize.HOT, CellSize.WIDE, shared, name + ".");
  }

  /** Takes the file of its {@link ClientPlan}, and a name that no other has. */
  public static void main(String[] args) throws Exception {
    Thread parent = new Thread(CampaignClient::endWithParent, "parent");
    parent.setDaemon(true);
    parent.start();
    new CampaignClient(ClientPlan.read(Path.of(args[0])), args[1]).run();
    // Whatever threads HBase's client has left.
    Runtime.getRuntime().halt(0);
  }

  private static void endWithParent() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is said.
      }
    } catch (IOException e) {
      // The same.
    }
    Runtime.getRuntime().halt(1);
  }

  private Configuration configuration() {
    Configuration conf = new ProcessCluster(Path.of(plan.cluster())).configuration();
    conf.setLong(DeliSettings.REPAIR_GRACE.key(), CellSize.GRACE_MILLIS);
    if (plan.page() > 0) {
      conf.setInt(DeliSettings.READ_PAGE.key(), plan.page());
    }
    return conf;
  }

  private void run() throws IOException, InterruptedException, ExecutionException {
    history.beat();
    Configuration conf = configuration();
    try (DeliConnection connection =
        DeliConnection.wrap(
            ConnectionFactory.createConnection(conf), new ClientClock(plan.aheadMillis()))) {
      ExecutorService threads = Executors.newCachedThreadPool();
      List<Future<?>> running = new ArrayList<>();
      Random seeds = new Random(plan.seed());
      for (int i = 0; i < THREADS; i++) {
        Random random = new Random(seeds.nextLong());
        running.add(threads.submit(() -> work(connection, random)));
      }
      while (running.stream().anyMatch(thread -> !thread.isDone())) {
        Thread.sleep(BEAT_MILLIS);
        history.beat();
      }
      for (Future<?> thread : running) {
        thread.get();
      }
      history.close();
    }
  }

  private Void work(DeliConnection connection, Random random)
      throws IOException, InterruptedException {
    TableName name = TableName.valueOf(plan.table());
    DeliTable table = connection.getTable(name);
    long retryNanos = Client.retryNanos(connection);
    ContendedWriter writer = new ContendedWriter(table, rows, history, random, retryNanos);
    ContendedLists lists = new ContendedLists(connection, name, rows, history, random, retryNanos);
    ContendedReader reader =
        new ContendedReader(
            table,
            QuerySource.of(table),
            Optional.of(QuerySource.pages(connection.getAsyncTable(name))),
            plan.byKey(),
            rows,
            history,
            random);
    for (Order order = shared.order(); order != Order.END; order = shared.order()) {
      int choice = random.nextInt(100);
      if (order == Order.PAUSE) {
        Thread.sleep(BEAT_MILLIS);
      } else if (!(choice < WRITES
          ? writer.step()
          : choice < WRITES + LISTS ? lists.step() : reader.step())) {
        // What cannot be reached is not asked without a pause.
        Thread.sleep(random.nextInt(2 * (int) BEAT_MILLIS));
      }
    }
    return null;
  }
}
