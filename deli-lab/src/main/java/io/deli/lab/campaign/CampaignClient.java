package io.deli.lab.campaign;

import io.deli.client.AsyncDeliTable;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.config.DeliSettings;
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
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * A client process of a campaign: threads that write and read until {@link SharedState} says that
 * they are to end. It ends itself when the process that started it is gone.
 */
public final class CampaignClient {
  private static final long BEAT_MILLIS = 50;

  /** Of a hundred calls. */
  private static final int WRITES = 46;

  private static final int LISTS = 28;

  private final ClientPlan plan;
  private final SharedState shared;
  private final HistoryFile history;
  private final ContendedRows rows;

  private CampaignClient(ClientPlan plan) throws IOException {
    this.plan = plan;
    this.shared = SharedState.open(Path.of(plan.shared()), plan.places());
    this.history = new HistoryFile(Path.of(plan.directory()), plan.name());
    this.rows =
        new ContendedRows(
            List.of(ContendedRows.Kind.values()),
            plan.hot(),
            plan.wide(),
            shared,
            plan.name() + ".");
  }

  /**
   * Runs.
   *
   * @param args the file of its {@link ClientPlan}
   */
  public static void main(String[] args) throws Exception {
    Thread parent = new Thread(CampaignClient::endWithParent, "parent");
    parent.setDaemon(true);
    parent.start();
    new CampaignClient(ClientPlan.read(Path.of(args[0]))).run();
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
    Configuration conf = HBaseConfiguration.create();
    for (String file : List.of("core-site.xml", "hbase-site.xml")) {
      conf.addResource(new org.apache.hadoop.fs.Path(Path.of(plan.conf(), file).toUri()));
    }
    conf.setLong(DeliSettings.REPAIR_GRACE.key(), plan.graceMillis());
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
      for (int i = 0; i < plan.threads(); i++) {
        Steps steps = steps(connection, conf, new Random(seeds.nextLong()));
        running.add(
            threads.submit(
                () -> {
                  steps.repeat();
                  return null;
                }));
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

  private Steps steps(DeliConnection connection, Configuration conf, Random random)
      throws IOException {
    TableName name = TableName.valueOf(plan.table());
    DeliTable table = connection.getTable(name);
    AsyncDeliTable async = connection.getAsyncTable(name);
    long retryNanos =
        TimeUnit.MILLISECONDS.toNanos(
            conf.getLong(HConstants.HBASE_CLIENT_PAUSE, HConstants.DEFAULT_HBASE_CLIENT_PAUSE));
    return new Steps(
        new ContendedWriter(table, rows, history, random, retryNanos),
        new ContendedLists(connection, name, rows, history, random, retryNanos),
        new ContendedReader(
            table,
            QuerySource.of(table),
            Optional.of(QuerySource.pages(async)),
            plan.byKey(),
            rows,
            history,
            random),
        random);
  }

  /** The steps of one thread. */
  private final class Steps {
    private final ContendedWriter writer;
    private final ContendedLists lists;
    private final ContendedReader reader;
    private final Random random;

    private Steps(
        ContendedWriter writer, ContendedLists lists, ContendedReader reader, Random random) {
      this.writer = writer;
      this.lists = lists;
      this.reader = reader;
      this.random = random;
    }

    private void repeat() throws InterruptedException {
      SharedState.Order order = shared.order();
      while (order != SharedState.Order.END) {
        if (order == SharedState.Order.PAUSE) {
          Thread.sleep(BEAT_MILLIS);
        } else if (!step()) {
          // What cannot be reached is not asked without a pause.
          Thread.sleep(random.nextInt(2 * (int) BEAT_MILLIS));
        }
        order = shared.order();
      }
    }

    private boolean step() throws InterruptedException {
      int choice = random.nextInt(100);
      if (choice < WRITES) {
        return writer.step();
      }
      return choice < WRITES + LISTS ? lists.step() : reader.step();
    }
  }
}
