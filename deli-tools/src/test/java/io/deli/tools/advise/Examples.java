package io.deli.tools.advise;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Facts to vary: a million rows of a hundred thousand scattered values, in blocks of 64 rows. */
final class Examples {
  static final Facts.Table TABLE =
      new Facts.Table(1_000_000, false, 1024, 8, 4, 3, 65_536, 1, 500, 500);

  private Examples() {}

  static Facts facts(Facts.Wants wants) {
    return new Facts(TABLE, distinct(100_000), wants);
  }

  /** The column with so many distinct values, of which the sample knows. */
  static ColumnFacts distinct(long distinct) {
    return new ColumnFacts(5_000, 5_000, distinct, 0, 0, 16, 10, 0.1, 0.9, 0);
  }

  static ColumnFacts bounds(double timeCorrelation, double boundsShare) {
    return new ColumnFacts(5_000, 5_000, 100_000, 0, 0, 16, 10, timeCorrelation, boundsShare, 0);
  }

  static ColumnFacts superseded(double share) {
    return new ColumnFacts(5_000, 5_000, 100_000, 0, 0, 16, 10, 0.1, 0.9, share);
  }

  static Facts.Wants limit(long limit) {
    return wants(OptionalLong.of(limit), false, false);
  }

  /** Shares of lookups, writes and updates. */
  static Facts.Wants shares(double lookups, double writes, double updates) {
    return new Facts.Wants(
        OptionalLong.empty(),
        OptionalDouble.of(lookups),
        OptionalDouble.of(writes),
        OptionalDouble.of(updates),
        false,
        false,
        false);
  }

  /** Flags. */
  static Facts.Wants flags(boolean range, boolean space) {
    return wants(OptionalLong.empty(), range, space);
  }

  private static Facts.Wants wants(OptionalLong limit, boolean range, boolean space) {
    return new Facts.Wants(
        limit,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        range,
        space,
        false);
  }

  /** The same, and old versions are asked for. */
  static Facts.Wants withVersions(Facts.Wants wants) {
    return new Facts.Wants(
        wants.limit(),
        wants.lookups(),
        wants.writes(),
        wants.updates(),
        wants.range(),
        wants.space(),
        true);
  }
}
