package io.deli.lab.experiment.catalog;

import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import io.deli.lab.experiment.Lab;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;

/** Pairs in a table of HBase. */
final class StoreContender implements Contender {
  static final String PLAIN = "plain";
  static final String DEFERRED = "deferred";
  static final String IN_PLACE = "in-place";

  private final Store store;
  private final Pairs pairs;
  private final int files;
  private boolean filled;

  /**
   * Pairs in a table.
   *
   * @param files in how many files the rows are at first, each in one
   */
  StoreContender(Store store, Pairs pairs, int files) {
    this.store = store;
    this.pairs = pairs;
    this.files = files;
  }

  /** HBase without an index, with DELI's and with one that is updated in place. */
  static List<Contender> all(Lab lab, String experiment, Cache cache, Pairs pairs) {
    return Store.plainAnd(lab, experiment, Pairs::index, DEFERRED, IN_PLACE).stream()
        .<Contender>map(
            store -> new StoreContender(cache.arrange(store), pairs, cache.files(lab.size())))
        .toList();
  }

  @Override
  public String arm() {
    return store.arm();
  }

  @Override
  public void restore() throws IOException {
    if (filled) {
      store.restore();
    } else {
      store.create(Pairs.FAMILY);
      pairs.fillParts(store, files);
      if (files == 1) {
        // Of many rows the servers made some more.
        store.settle();
      }
      store.remember();
      filled = true;
    }
    store.lab().quiet();
  }

  @Override
  public Client open() throws IOException {
    return new TableClient(store.open(), store.isIndexed());
  }

  @Override
  public void drop() throws IOException {
    store.forget();
    store.drop();
  }

  private record TableClient(Table table, boolean indexed) implements Client {
    @Override
    public void read(int row, int value) throws IOException {
      if (indexed) {
        Lookups.count((DeliTable) table, ValueQuery.on(Pairs.INDEX).equalTo(Pairs.value(value)));
      } else {
        table.get(new Get(Pairs.key(row)));
      }
    }

    @Override
    public void update(int row, int value) throws IOException {
      table.put(Pairs.put(row, value));
    }

    @Override
    public void close() throws IOException {
      table.close();
    }
  }
}
