package io.deli.lab.experiment.catalog;

import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.lab.experiment.Experiment;
import io.deli.lab.experiment.Lab;
import io.deli.lab.experiment.Lab.Recorder;
import io.deli.lab.experiment.Size;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The static workload of LevelDB++: tweets are put under every strategy, then asked for by the
 * column of an index.
 */
record StaticTweets(String index, Column column) {
  static final String LOOKUP = "LOOKUP";
  static final String RANGE = "RANGELOOKUP";

  /** All hits, in place of a number of the newest. */
  static final String ALL = "all";

  /** How many of the newest hits are asked for. */
  static final List<String> KS = List.of("1", "10", ALL);

  private static final String[] STRATEGIES = {
    "none", "deferred", "composite", "eager", "lazy", "in-place", "embedded", "next"
  };

  static List<String> arms() {
    return Stream.concat(Stream.of("plain"), Stream.of(STRATEGIES)).toList();
  }

  static int rows(Size size) {
    return size.pick(500, 40_000, 400_000);
  }

  /** What is asked once the rows are there. */
  @FunctionalInterface
  interface Reading {
    /** Measures stages of some stores: all, and those with an index. */
    void measure(List<Store> all, List<Store> indexed, Lab.Step loading) throws IOException;
  }

  void run(Lab lab, Experiment experiment, Tweets tweets, Reading reading) throws IOException {
    List<Store> all = Store.plainAnd(lab, experiment.name(), this::definition, STRATEGIES);
    List<Store> stores = lab.wanted(experiment, all, Store::arm);
    List<Store> indexed = stores.stream().filter(Store::isIndexed).toList();
    Ingestion ingestion = new Ingestion(stores, tweets);
    Lab.cleaningUp(
        () -> Store.dropAll(stores),
        () -> {
          ingestion.measure(lab);
          reading.measure(stores, indexed, ingestion::makeUpFor);
        });
  }

  private IndexDefinition definition(String strategy) {
    return IndexDefinition.on(index, column).withStrategy(strategy).withOrder(EntryOrder.BY_TIME);
  }

  /** A query for one value. */
  ValueQuery equalTo(byte[] value) {
    return ValueQuery.on(index).equalTo(value);
  }

  /** A query for a range of values, both included. */
  ValueQuery between(byte[] first, byte[] last) {
    return ValueQuery.on(index).between(first, last);
  }

  /** Measures the rows of one value by every K. */
  static void look(
      Store store, Recorder recorder, Duration time, Function<SplittableRandom, ValueQuery> queries)
      throws IOException {
    for (String k : KS) {
      Measured.lookups(
          store,
          recorder,
          LOOKUP,
          k,
          time,
          k.equals(ALL)
              ? queries
              : queries.andThen(query -> query.mostRecent(Integer.parseInt(k))));
    }
  }
}
