package io.deli.lab.torture;

import io.deli.index.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Rows that all threads of all clients write, and what happens to each. Thread-safe.
 *
 * <p>A row of which a write failed is followed by another: nobody knows for ever when that write
 * takes effect, so little could be said of the row.
 */
public final class ContendedRows {
  /** Both are indexed. */
  public static final Column A = Column.parse("f:a");

  public static final Column B = Column.parse("f:b");

  /** A number, not indexed. */
  public static final Column N = Column.parse("f:n");

  /** A text that grows, not indexed. */
  public static final Column S = Column.parse("f:s");

  public static final String BY_A = "by_a";
  public static final String BY_B = "by_b";

  /** Values of A are m0 to m9. */
  static final int VALUES = 10;

  /** What the rows that are put again and again have in A, all the time. */
  static final String SAME = "m5";

  /** What the rows that change sides have in B, all the time. */
  static final String SIDE = "two";

  static final String LOW = "m2";
  static final String HIGH = "m8";

  /** What is done to a row. */
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
  private final AtomicReferenceArray<String> names;
  private final AtomicLong numbers = new AtomicLong();

  public ContendedRows(Contention contention) {
    this(List.of(Kind.values()), contention.rows());
  }

  /** Some rows of each of these kinds. */
  public ContendedRows(List<Kind> some, int rows) {
    for (Kind kind : some) {
      for (int i = 0; i < rows; i++) {
        kinds.add(kind);
      }
    }
    names = new AtomicReferenceArray<>(kinds.size());
    for (int i = 0; i < kinds.size(); i++) {
      names.set(i, fresh(i));
    }
  }

  private String fresh(int place) {
    return "c%02d-%s-%d".formatted(place, kinds.get(place), number());
  }

  /** A row that is in use. */
  record Place(int index, Kind kind, String row) {}

  Place any(Random random) {
    int index = random.nextInt(kinds.size());
    return new Place(index, kinds.get(index), names.get(index));
  }

  /** Has another row take the place of one. */
  void retire(Place place) {
    names.compareAndSet(place.index(), place.row(), fresh(place.index()));
  }

  /** One that no other call gives. */
  long number() {
    return numbers.incrementAndGet();
  }

  static String value(Random random) {
    return "m" + random.nextInt(VALUES);
  }
}
