package io.deli.lab.campaign;

import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.config.DeliSettings;
import io.deli.lab.cluster.ProcessCluster;
import io.deli.lab.torture.Client;
import io.deli.lab.torture.ContendedLists;
import io.deli.lab.torture.ContendedReader;
import io.deli.lab.torture.ContendedRows;
import io.deli.lab.torture.ContendedWriter;
import io.deli.lab.torture.QuerySource;
import io.deli.lab.torture.Repeaters;
import io.deli.lab.torture.SharedState;
import io.deli.lab.torture.SharedState.Order;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

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

  /**
   * The instructions of a client process.
   *
   * @param directory of the history, and of the file of {@link SharedState}
   * @param page rows that a query reads at a time; 0 as by default
   * @param byKey whether the hits of one value come by row key
   */
  record Plan(
      String cluster,
      String table,
      String directory,
      long seed,
      long aheadMillis,
      int page,
      boolean byKey) {}

  private final Plan plan;
  private final SharedState shared;
  private final HistoryFile history;
  private final ContendedRows rows;

  private CampaignClient(Plan plan, String name) throws IOException {
    this.plan = plan;
    this.shared = SharedState.open(Path.of(plan.directory(), "shared"), Cell.PLACES);
    this.history = new HistoryFile(Path.of(plan.directory()), name);
    this.rows =
        new ContendedRows(
            List.of(ContendedRows.Kind.values()), Cell.HOT, Cell.WIDE, shared, name + ".");
  }

  /** Takes its {@link Plan} as JSON, and a name that no other has. */
  public static void main(String[] args) {
    Thread parent = new Thread(CampaignClient::endWithParent, "parent");
    parent.setDaemon(true);
    parent.start();
    int code = 0;
    try {
      new CampaignClient(new Gson().fromJson(args[0], Plan.class), args[1]).run();
    } catch (Exception e) {
      e.printStackTrace();
      code = 1;
    }
    // Whatever threads HBase's client has left.
    Runtime.getRuntime().halt(code);
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
    conf.setLong(DeliSettings.REPAIR_GRACE.key(), Cell.GRACE_MILLIS);
    if (plan.page() > 0) {
      conf.setInt(DeliSettings.READ_PAGE.key(), plan.page());
    }
    return conf;
  }

  private void run() throws IOException, InterruptedException, ExecutionException {
    history.beat();
    try (DeliConnection connection =
            DeliConnection.wrap(
                ConnectionFactory.createConnection(configuration()),
                new Client.Clock(plan.aheadMillis()));
        Repeaters threads = new Repeaters()) {
      Random seeds = new Random(plan.seed());
      for (int i = 0; i < THREADS; i++) {
        Repeaters.Step step = worker(connection, new Random(seeds.nextLong()));
        threads.start(step, 0, new LongAdder(), new LongAdder());
      }
      while (shared.order() != Order.END) {
        Thread.sleep(BEAT_MILLIS);
        history.beat();
        threads.check();
      }
      threads.end();
      history.close();
    }
  }

  private Repeaters.Step worker(DeliConnection connection, Random random) throws IOException {
    TableName name = TableName.valueOf(plan.table());
    DeliTable table = connection.getTable(name);
    long retryNanos = ContendedWriter.retryNanos(connection);
    ContendedWriter writer = new ContendedWriter(table, rows, history, random, retryNanos);
    ContendedLists lists = new ContendedLists(connection, table, rows, history, random, retryNanos);
    QuerySource source = QuerySource.of(connection, name);
    ContendedReader reader =
        new ContendedReader(table, source, plan.byKey(), rows, history, random);
    return () -> {
      if (shared.order() == Order.PAUSE) {
        Thread.sleep(BEAT_MILLIS);
        return true;
      }
      int choice = random.nextInt(100);
      boolean answered =
          choice < WRITES ? writer.step() : choice < WRITES + LISTS ? lists.step() : reader.step();
      if (!answered) {
        // What cannot be reached is not asked without a pause.
        Thread.sleep(random.nextInt(2 * (int) BEAT_MILLIS));
      }
      return answered;
    };
  }
}
