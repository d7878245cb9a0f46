package io.deli.simulation;

import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.lab.judge.QueryCondition;
import io.deli.lab.judge.QueryCondition.Between;
import io.deli.lab.judge.QueryCondition.Both;
import io.deli.lab.judge.QueryCondition.Either;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The kind of the index on column a, what writes it takes, and what its queries find. The index on
 * column b is on that column alone, of all rows.
 *
 * @param buckets of the tables of both
 */
record IndexKind(Extent extent, int buckets) {
  /** On one column, of all rows, without salt. */
  static final IndexKind PLAIN = new IndexKind(Extent.WHOLE, 1);

  /** The value of column b in the rows of a partial index. */
  private static final String CONDITION = "m0";

  private static final String GREATEST = "m9";

  /** The rows and columns that the index is of. */
  enum Extent {
    /** One column, all rows that have it. */
    WHOLE,
    /** One column, rows in which the other has a certain value. */
    PARTIAL,
    /** Both columns, rows that have both. */
    JOINED
  }

  /** One of the kinds; the plain one is the likeliest. */
  static IndexKind of(Chance chance) {
    Extent[] extents = Extent.values();
    return new IndexKind(
        chance.oneIn(2) ? Extent.WHOLE : extents[(int) chance.below(extents.length)],
        chance.oneIn(3) ? 2 + (int) chance.below(3) : 1);
  }

  /** The index on a column. */
  static String index(String column) {
    return "by_" + column.substring(2);
  }

  /** The definition of the index on a column, of the default strategy. */
  IndexDefinition definition(String column) {
    Column own = Column.parse(column);
    Column other = Column.parse(Worker.B);
    boolean first = !own.equals(other);
    IndexDefinition definition =
        extent == Extent.JOINED && first
            ? IndexDefinition.on(index(column), own, other)
            : IndexDefinition.on(index(column), own);
    if (extent == Extent.PARTIAL && first) {
      definition = definition.withCondition(other, Bytes.toBytes(CONDITION));
    }
    return buckets == 1
        ? definition
        : definition.withOption(IndexDefinition.BUCKETS, String.valueOf(buckets));
  }

  boolean isWhole() {
    return extent == Extent.WHOLE;
  }

  /** Whether one Put may write these values by column. */
  boolean takes(Map<String, String> values) {
    boolean besides =
        extent == Extent.PARTIAL
            && values.containsKey(Worker.B)
            && !values.get(Worker.B).equals(CONDITION);
    return isWhole() || values.size() == 2 || besides;
  }

  /** The columns to delete with one of them. */
  SortedSet<String> deletedWith(String column) {
    return new TreeSet<>(extent == Extent.PARTIAL ? Set.of(Worker.A, Worker.B) : Set.of(column));
  }

  /** Returns what is true of the rows that a query finds which asks for this. */
  QueryCondition found(QueryCondition asked) {
    if (asked instanceof Both both) {
      return new Both(found(both.one()), found(both.other()));
    } else if (asked instanceof Either either) {
      return new Either(found(either.one()), found(either.other()));
    }
    return isWhole() || asked.columns().contains(Worker.B)
        ? asked
        : new Both(
            asked,
            new Between(Worker.B, CONDITION, extent == Extent.PARTIAL ? CONDITION : GREATEST));
  }

  /** Asks the indexes. If they are joined, both of two conditions are one on each column. */
  ValueQuery query(QueryCondition asked) {
    if (asked instanceof Both both) {
      return extent == Extent.JOINED
          ? query(
              ValueQuery.on(index(Worker.A)).leading(bytes(((Between) both.one()).low())),
              (Between) both.other())
          : query(both.one()).and(query(both.other()));
    } else if (asked instanceof Either either) {
      return query(either.one()).or(query(either.other()));
    }
    Between between = (Between) asked;
    ValueQuery query = query(ValueQuery.on(index(between.column())), between);
    return extent == Extent.PARTIAL && between.column().equals(Worker.A)
        ? query.and(ValueQuery.on(Worker.B).equalTo(bytes(CONDITION)))
        : query;
  }

  private static ValueQuery query(ValueQuery.Target target, Between between) {
    return between.low().equals(between.high())
        ? target.equalTo(bytes(between.low()))
        : target.between(bytes(between.low()), bytes(between.high()));
  }

  private static byte[] bytes(String text) {
    return Bytes.toBytes(text);
  }
}
