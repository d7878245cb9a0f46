package io.deli.lab.experiment.catalog;

import io.deli.client.ValueQuery;
import io.deli.config.DeliSettings;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.lab.experiment.Check;
import io.deli.lab.experiment.Claim;
import io.deli.lab.experiment.Experiment;
import io.deli.lab.experiment.Lab;
import io.deli.lab.experiment.Lab.Recorder;
import io.deli.lab.experiment.Plot;
import io.deli.lab.experiment.Results;
import io.deli.lab.experiment.ServerNeeds;
import io.deli.lab.experiment.Size;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.Bytes;

/** What longer Bloom filters are worth to the embedded index. */
final class BitsPerKeyExperiment implements Experiment {
  private static final String LOOKUP = "LOOKUP";
  private static final String ABSENT = "LOOKUP in vain";
  private static final String SIZE = "size";
  private static final String INDEX = "by_user";
  private static final String NONE = "none";
  private static final List<Integer> BITS = List.of(2, 5, 10, 20, 50, 100, 200, 1_000);
  private static final String SHORT = bits(20);
  private static final String MIDDLING = bits(50);
  private static final String GOOD = bits(100);
  private static final String LONGER = bits(200);
  private static final String LONGEST = bits(1_000);

  private static String bits(int number) {
    return Integer.toString(number);
  }

  @Override
  public String name() {
    return "bits-per-key";
  }

  @Override
  public String sentence() {
    return "LOOKUPs with the embedded index and space by the length of its Bloom filters (LevelDB++,"
        + " Table 8; Embedded index, Figure 13 and Table 5).";
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "LevelDB++, Table 8",
            "With 20, 50, 100, 200, 500 and 1,000 bits a key a LOOKUP takes 52, 49, 21, 20.5, 22"
                + " and 32 ms: filters err less, and at last take longer to ask. They err in 0.64,"
                + " 0.44, and from 100 bits on 0.08 % of the cases."),
        new Claim(
            "LevelDB++, Table 8",
            "The database takes 10,127 MB with 20 bits, 10,470 with 100 and 14,325 with 1,000."));
  }

  @Override
  public ServerNeeds server(Size size) {
    return Pairs.server(size);
  }

  private static int rows(Size size) {
    return size.pick(600, 40_000, 400_000);
  }

  private static int files(Size size) {
    return size.pick(2, 4, 4);
  }

  private static Duration time(Size size) {
    return Duration.ofMillis(size.pick(20, 2_000, 10_000));
  }

  /** Some of them suffice to show that it works. */
  private static List<Integer> bits(Size size) {
    return size == Size.TINY ? List.of(5, 20, 100) : BITS;
  }

  @Override
  public List<String> arms(Size size) {
    return Stream.concat(Stream.of(NONE), bits(size).stream().map(String::valueOf)).toList();
  }

  @Override
  public Map<String, String> parameters(Size size) {
    return Map.of(
        "rows",
        Integer.toString(rows(size)),
        "rows per user",
        Tweets.ROWS_PER_USER + " on average, Zipf " + Tweets.SKEW,
        "files",
        files(size) + ", each of rows of the whole table, not compacted",
        "reader",
        "1, for " + time(size).toMillis() + " ms a measurement",
        "arms",
        "bits a key; none: no index",
        LOOKUP,
        "all rows of a user; in vain: of a user who has none");
  }

  @Override
  public void run(Lab lab) throws IOException {
    Tweets tweets = new Tweets(rows(lab.size()));
    List<Store> stores =
        lab.wanted(
            Stream.concat(
                    Stream.of(store(lab, NONE)),
                    bits(lab.size()).stream().map(bits -> embedded(lab, bits)))
                .toList(),
            Store::arm);
    Lab.cleaningUp(
        () -> Store.dropAll(stores),
        () -> {
          lab.rounds(
              "lookup",
              stores,
              Store::arm,
              () -> {
                Flushes writing =
                    new Flushes(Tweets.FAMILY, tweets.rows(), files(lab.size()), tweets::put);
                for (Store store : stores) {
                  writing.write(store);
                }
              },
              (store, recorder) -> {
                recorder.add(SIZE, "", "MB", store.megabytes());
                look(store, tweets, recorder);
              });
        });
  }

  private Store embedded(Lab lab, int bits) {
    return store(lab, "embedded").with(bits(bits), DeliSettings.EMBEDDED_BITS.key(), bits(bits));
  }

  private Store store(Lab lab, String strategy) {
    return Store.indexed(
            lab,
            name(),
            IndexDefinition.on(INDEX, Tweets.USER)
                .withStrategy(strategy)
                .withOrder(EntryOrder.BY_TIME))
        .keepingFiles();
  }

  private static void look(Store store, Tweets tweets, Recorder recorder) throws IOException {
    Duration time = time(store.lab().size());
    Measured.lookups(
        store, recorder, LOOKUP, "", time, random -> of(tweets.user(tweets.drawUser(random))));
    // Within the bounds of the blocks, so that the filters alone exclude them.
    Measured.lookups(store, recorder, ABSENT, "", time, random -> of(absent(tweets, random)));
  }

  private static ValueQuery of(byte[] user) {
    return ValueQuery.on(INDEX).equalTo(user);
  }

  private static byte[] absent(Tweets tweets, SplittableRandom random) {
    return Bytes.add(tweets.user(tweets.drawUser(random)), Bytes.toBytes("x"));
  }

  @Override
  public List<Plot> plots() {
    String bits = "bits a key";
    return List.of(
        Plot.groups("lookup", "Rows by user", Measured.latency(LOOKUP), bits).onLogarithmicScale(),
        Plot.groups("lookup-blocks", "Blocks for rows by user", Measured.blocks(LOOKUP), bits)
            .onLogarithmicScale(),
        Plot.groups("absent", "Rows by a user who has none", Measured.latency(ABSENT), bits)
            .onLogarithmicScale(),
        Plot.groups(
            "absent-blocks", "Blocks for a user without rows", Measured.blocks(ABSENT), bits),
        Plot.groups("size", "Space in files", SIZE, bits));
  }

  @Override
  public List<Check> checks(Results results) {
    String time = Measured.latency(LOOKUP);
    return List.of(
        Check.atLeast("time of a LOOKUP: 20 bits / 100", results.ratio(time, "", SHORT, GOOD), 2.4),
        Check.atMost("time of a LOOKUP: 200 bits / 100", results.ratio(time, "", LONGER, GOOD), 1),
        Check.atLeast(
            "time of a LOOKUP: 1000 bits / 100", results.ratio(time, "", LONGEST, GOOD), 1.5),
        Check.atMost("error with 20 bits, %", error(results, SHORT), 0.64),
        Check.atMost("error with 50 bits, %", error(results, MIDDLING), 0.44),
        Check.atMost("error with 100 bits, %", error(results, GOOD), 0.08),
        Check.atMost("space: 100 bits / 20", results.ratio(SIZE, "", GOOD, SHORT), 1.03),
        Check.atMost("space: 1000 bits / 100", results.ratio(SIZE, "", LONGEST, GOOD), 1.37));
  }

  /** The share of the blocks that a lookup in vain looks into, which filters did not exclude. */
  private static double error(Results results, String bits) {
    return 100 * results.ratio(Measured.blocks(ABSENT), "", bits, NONE);
  }
}
