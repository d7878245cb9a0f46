package io.deli.ycsb;

import java.util.Locale;
import java.util.Properties;
import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.RandomGenerator;

/**
 * The distribution of the values that a workload writes and asks for, as numbers from 0.
 *
 * <p>Time counts writes from 0; it matters only where values grow with it. What is asked for is
 * distributed as what was written, as in LevelDB++ (section 5.1), unless a distribution of its own
 * is named. Thread-safe if its random numbers are.
 */
interface ValueDistribution {
  String PROPERTY = "valuedistribution";
  String ASKED = "askeddistribution";
  String EXPONENT = "valueexponent";

  /**
   * LevelDB++'s tweets by user: 18 million tweets, 30 for each user, so 600,000 users. The paper
   * shows their rank-frequency distribution as a figure only. It follows from those numbers if it
   * is a power law whose least active user posted once: the exponent s with n^(s-1) (1 + 2^-s + ...
   * + n^-s) = 30 for n = 600,000 is 1.1.
   */
  double TWITTER_EXPONENT = 1.1;

  String DEFAULT_EXPONENT = "0.99";

  /** The value that the write at that time has. */
  long written(long time);

  /** A value to ask for when so many writes have been. */
  long asked(long time);

  /**
   * The one that the properties name.
   *
   * @param records how many writes make {@code count} values where values grow with time
   * @throws IllegalArgumentException if there is none of that name
   */
  static ValueDistribution of(
      Properties properties, long count, long records, RandomGenerator random) {
    ValueDistribution written = of(PROPERTY, properties, count, records, random);
    return properties.getProperty(ASKED) == null
        ? written
        : new Mixed(written, of(ASKED, properties, count, records, random));
  }

  private static ValueDistribution of(
      String property, Properties properties, long count, long records, RandomGenerator random) {
    String name = properties.getProperty(property, "uniform").toLowerCase(Locale.ROOT);
    double exponent = Double.parseDouble(properties.getProperty(EXPONENT, DEFAULT_EXPONENT));
    return switch (name) {
      case "uniform" -> new Uniform(count, random);
      case "zipfian" -> Skewed.scattered(count, exponent, random);
      case "ranked" -> new Skewed(count, 1, exponent, random);
      case "twitter" -> Skewed.scattered(count, TWITTER_EXPONENT, random);
      case "time-correlated" -> new Growing(count, records, random);
      default ->
          throw new IllegalArgumentException(
              property + "=" + name + ": use uniform, zipfian, ranked, twitter or time-correlated");
    };
  }

  /** Written by the one, asked for by the other. */
  record Mixed(ValueDistribution writes, ValueDistribution reads) implements ValueDistribution {
    @Override
    public long written(long time) {
      return writes.written(time);
    }

    @Override
    public long asked(long time) {
      return reads.asked(time);
    }
  }

  record Uniform(long count, RandomGenerator random) implements ValueDistribution {
    @Override
    public long written(long time) {
      return (long) (random.nextDouble() * count);
    }

    @Override
    public long asked(long time) {
      return written(time);
    }
  }

  /** A power law of rank and frequency. */
  final class Skewed implements ValueDistribution {
    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

    private final long count;
    private final long step;
    private final ZipfDistribution ranks;

    /**
     * @param step from the value of a rank to that of the next; coprime to the count
     */
    Skewed(long count, long step, double exponent, RandomGenerator random) {
      if (count > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            ValueText.COUNT + "=" + count + ": a skewed distribution takes " + Integer.MAX_VALUE);
      }
      this.count = count;
      this.step = step;
      this.ranks = new ZipfDistribution(random, (int) count, exponent);
      // It sets itself up with the first one, which must not be left to several threads.
      ranks.sample();
    }

    /** Neighbours in rank are none in value. */
    static Skewed scattered(long count, double exponent, RandomGenerator random) {
      return new Skewed(count, coprime((long) (count * GOLDEN), count), exponent, random);
    }

    private static long coprime(long near, long count) {
      long step = Math.max(1, near);
      while (gcd(step, count) != 1) {
        step++;
      }
      return step;
    }

    private static long gcd(long a, long b) {
      return b == 0 ? a : gcd(b, a % b);
    }

    /** The value of a rank, from 1: the greatest common divisor makes it a permutation. */
    long value(long rank) {
      return rank * step % count;
    }

    @Override
    public long written(long time) {
      return value(ranks.sample());
    }

    @Override
    public long asked(long time) {
      return written(time);
    }
  }

  /** The value is the time itself, as coarse as makes so many values of the first records. */
  record Growing(long count, long records, RandomGenerator random) implements ValueDistribution {
    @Override
    public long written(long time) {
      return (long) ((double) time * count / records);
    }

    @Override
    public long asked(long time) {
      return written((long) (random.nextDouble() * time));
    }
  }
}
