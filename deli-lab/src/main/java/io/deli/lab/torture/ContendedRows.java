package io.deli.lab.torture;

import io.deli.index.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows that all threads of all clients write, and what happens to each: a few hot rows that have
 * few values, and maybe thousands of others with values by the thousand. Thread-safe.
 *
 * <p>A row of which a write failed is followed by another: nobody knows for long when that write
 * takes effect, so little could be said of the row.
 */
public final class ContendedRows {
  /** Both are indexed. */
  public static final Column A = Column.parse("f:a");

  public static final Column B = Column.parse("f:b");

  /** A number, indexed where region servers maintain indexes. */
  public static final Column N = Column.parse("f:n");

  /** A text that grows, not indexed. */
  public static final Column S = Column.parse("f:s");

  public static final String BY_A = "by_a";
  public static final String BY_B = "by_b";

  /** Values of A in hot rows are m0 to m9. */
  static final int VALUES = 10;

  /** Values of A in other rows are v0000 to v9999, those of B s0000 to s4999. */
  static final int WIDE_VALUES = 10_000;

  /** The value in A of the rows that are put again and again, all the time. */
  static final String SAME = "m5";

  /** The value in B of the rows that change sides, all the time. */
  static final String SIDE = "two";

  static final String LOW = "m2";
  static final String HIGH = "m8";

  /** Of a hundred choices, how many are of a hot row if there are others. */
  private static final int HOT_PERCENT = 12;

  /** Of so many rows that are not hot, one has single versions deleted. */
  private static final int VERSIONS_EVERY = 10;

  public enum Kind {
    /** Everything: conditions on what was read, computed values, deletes. */
    ANYTHING,
    /** The same value of A is put again. */
    SAME_VALUE,
    /** A changes, B has one value throughout. */
    OTHER_SIDE,
    /** A moves within a range. */
    MOVING,
    /** Deletes of single versions, by timestamp or the latest. */
    VERSIONS
  }

  private final List<Kind> kinds = new ArrayList<>();
  private final int hot;
  private final SharedState shared;
  private final String client;
  private final AtomicLong numbers = new AtomicLong();

  /** Some rows of each of these kinds. */
  public ContendedRows(List<Kind> some, int rows) {
    this(some, rows, 0, SharedState.ofThisJvm(some.size() * rows), "");
  }

  /**
   * Rows that several clients share.
   *
   * @param rows hot ones of each of these kinds
   * @param wide how many others
   * @param shared with as many places
   * @param client by which its values are known from those of others
   */
  public ContendedRows(List<Kind> some, int rows, int wide, SharedState shared, String client) {
    for (Kind kind : some) {
      for (int i = 0; i < rows; i++) {
        kinds.add(kind);
      }
    }
    hot = kinds.size();
    for (int i = 0; i < wide; i++) {
      kinds.add(i % VERSIONS_EVERY == 0 ? Kind.VERSIONS : Kind.ANYTHING);
    }
    this.shared = shared;
    this.client = client;
  }

  /** Whether single versions of a row are deleted, which brings older ones back. */
  public static boolean isUncovering(String row) {
    return row.contains(Kind.VERSIONS.name());
  }

  /** A row that is in use, and whether it is not a hot one. */
  record Place(int index, Kind kind, boolean wide, int generation) {
    String row() {
      return ContendedRows.key(index) + "-%s-%d".formatted(kind, generation);
    }

    byte[] key() {
      return Bytes.toBytes(row());
    }

    String value(Random random) {
      return wide ? wideValue(random) : ContendedRows.value(random);
    }

    String side(Random random) {
      return wide ? wideSide(random) : SIDE;
    }
  }

  /** With what the row at a place begins, in order. */
  public static String key(int place) {
    return "c%05d".formatted(place);
  }

  Place any(Random random) {
    boolean wide = hot < kinds.size() && (hot == 0 || random.nextInt(100) >= HOT_PERCENT);
    return wide ? anyWide(random) : place(random.nextInt(hot));
  }

  Place anyWide(Random random) {
    return place(hot + random.nextInt(kinds.size() - hot));
  }

  boolean hasWide() {
    return hot < kinds.size();
  }

  private Place place(int index) {
    return new Place(index, kinds.get(index), index >= hot, shared.get(index));
  }

  void retire(Place place) {
    shared.advance(place.index(), place.generation());
  }

  /** A number that no other call gives, of no client. */
  String number() {
    return client + numbers.incrementAndGet();
  }

  static String value(Random random) {
    return "m" + random.nextInt(VALUES);
  }

  static String wideValue(Random random) {
    return "v%04d".formatted(random.nextInt(WIDE_VALUES));
  }

  static String wideSide(Random random) {
    return "s%04d".formatted(random.nextInt(WIDE_VALUES / 2));
  }
}
