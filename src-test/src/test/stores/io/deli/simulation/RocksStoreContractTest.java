package io.deli.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksStoreContractTest extends StoreContract {
  @TempDir Path directory;

  @Override
  LogStructuredStore newStore() {
    return new RocksStore(directory.resolve(UUID.randomUUID().toString()));
  }

  /** As {@link ModelDifferentialTest} does on a store in memory. */
  @Test
  void aRegion_anyOperations_answersAsHBase() throws Exception {
    Random seeds = new Random(1);
    for (int round = 0; round < 10; round++) {
      ModelDifferentialTest.run("round " + round, seeds.nextLong(), directory, open(), true);
    }
  }

  @Test
  void whatIsDropped_isGoneFromTheFiles() {
    RocksStore store = (RocksStore) open();
    Random random = new Random(1);
    for (int flush = 0; flush < 3; flush++) {
      store.put(Stream.generate(() -> StorePair.cell(random)).limit(10).toList());
      store.flush();
    }
    assertThat(store.countStored()).isEqualTo(30);
    List<Cell> cells = store.scan(new byte[0], new byte[0]);
    store.drop(cells.subList(5, 20));
    assertThat(store.countStored()).isEqualTo(15);
  }
}
