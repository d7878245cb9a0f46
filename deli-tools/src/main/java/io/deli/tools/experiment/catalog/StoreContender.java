package io.deli.tools.experiment.catalog;

import io.deli.client.DeliTable;
import io.deli.client.ValueQuery;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;

/**
 * Pairs in a table of HBase.
 *
 * @param files in how many files the rows are at first, each in one
 */
record StoreContender(Store store, Pairs pairs, int files) implements Contender {
  @Override
  public String arm() {
    return store.arm();
  }

  @Override
  public void fill() throws IOException {
    store.create(Pairs.FAMILY);
    pairs.fillParts(store, files);
  }

  @Override
  public Client open() throws IOException {
    return new TableClient(store.open(), store.index().isPresent());
  }

  @Override
  public void drop() throws IOException {
    Store.dropAll(List.of(store));
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
