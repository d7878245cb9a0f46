package io.deli.test.model;

import io.deli.client.ValueQuery;
import io.deli.index.Column;
import io.deli.test.model.ModelIndex.Kind;
import io.deli.test.model.Term.Op;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.apache.hadoop.hbase.util.Bytes;

/** Draws queries of every kind. */
final class Queries {
  private static final List<Op> ON_BYTES = List.of(Op.values());
  private static final List<Op> ON_PREFIXES = List.of(Op.EQUAL, Op.PREFIX);
  private static final List<Op> ON_NUMBERS =
      ON_BYTES.stream().filter(op -> op != Op.PREFIX).toList();

  private final Random random;
  private final Samples samples;
  private final TestTime time;
  private final ModelTable model;
  private final List<ModelIndex> indexes;

  Queries(Random random, TestTime time, ModelTable model, List<ModelIndex> indexes) {
    this.random = random;
    this.samples = new Samples(random);
    this.time = time;
    this.model = model;
    this.indexes = List.copyOf(indexes);
  }

  ModelQuery draw() {
    return random.nextInt(4) == 0 ? compound() : simple();
  }

  /** What a reader finds most naturally. */
  ModelQuery all(ModelIndex index) {
    boolean number = index.kind() == Kind.NUMBER;
    byte[] least = number ? Schema.LEAST_NUMBER : new byte[0];
    Term term = new Term(index, number ? Op.AT_LEAST : Op.PREFIX, least, true, least, true);
    int versions = index.knowsOnlyNewest() ? 1 : model.retained(index.column());
    return new ModelQuery(
        term.query().versions(versions),
        List.of(List.of(term)),
        false,
        Long.MAX_VALUE,
        versions,
        OptionalInt.empty(),
        List.of());
  }

  private Term term() {
    ModelIndex index = samples.pick(indexes);
    Op op =
        random.nextInt(3) == 0
            ? Op.EQUAL
            : samples.pick(
                switch (index.kind()) {
                  case NUMBER -> ON_NUMBERS;
                  case PREFIXES -> ON_PREFIXES;
                  default -> ON_BYTES;
                });
    return new Term(
        index,
        op,
        samples.operand(index),
        random.nextBoolean(),
        samples.operand(index),
        random.nextBoolean());
  }

  private ModelQuery simple() {
    Term term = term();
    int versions =
        term.index().knowsOnlyNewest() ? 1 : 1 + random.nextInt(model.retained(term.column()));
    return withOptions(term.query(), List.of(List.of(term)), versions);
  }

  private ModelQuery compound() {
    Term a = term();
    Term b = term();
    Term c = term();
    ValueQuery both = a.query().and(b.query());
    ValueQuery either = a.query().or(b.query());
    return switch (random.nextInt(5)) {
      case 0 -> withOptions(both, List.of(List.of(a, b)), 1);
      case 1 -> withOptions(either, List.of(List.of(a), List.of(b)), 1);
      case 2 -> withOptions(both.or(c.query()), List.of(List.of(a, b), List.of(c)), 1);
      case 3 -> withOptions(either.and(c.query()), List.of(List.of(a, c), List.of(b, c)), 1);
      default -> withOptions(c.query().and(either), List.of(List.of(c, a), List.of(c, b)), 1);
    };
  }

  private ModelQuery withOptions(ValueQuery condition, List<List<Term>> disjuncts, int versions) {
    boolean timed =
        random.nextInt(3) == 0
            && disjuncts.stream()
                .flatMap(List::stream)
                .noneMatch(term -> term.index().knowsOnlyNewest());
    long asOf = timed ? asOf(disjuncts.get(0).get(0).column()) : Long.MAX_VALUE - 1;
    OptionalInt mostRecent =
        random.nextInt(5) == 0 ? OptionalInt.of(1 + random.nextInt(9)) : OptionalInt.empty();
    boolean reversed = mostRecent.isEmpty() && random.nextInt(3) == 0;
    List<Column> projection = projection(timed);
    ValueQuery query = versions == 1 ? condition : condition.versions(versions);
    query = timed ? query.asOf(asOf) : query;
    query = reversed ? query.reversed() : query;
    query = mostRecent.isPresent() ? query.mostRecent(mostRecent.getAsInt()) : query;
    query = projection.isEmpty() ? query : query.project(projection.toArray(Column[]::new));
    query = mostRecent.isEmpty() && random.nextInt(4) == 0 ? ofSomeRows(query) : query;
    long end = timed ? asOf + 1 : Long.MAX_VALUE;
    return new ModelQuery(query, disjuncts, reversed, end, versions, mostRecent, projection);
  }

  private ValueQuery ofSomeRows(ValueQuery query) {
    byte[] one = samples.row();
    byte[] other = random.nextBoolean() ? new byte[0] : samples.row();
    return other.length == 0 || Bytes.compareTo(one, other) < 0
        ? query.rows(one, other)
        : query.rows(other, Arrays.copyOf(one, one.length + 1));
  }

  private long asOf(Column column) {
    List<Long> known = model.timestamps(samples.row(), column);
    if (known.isEmpty() || random.nextInt(4) == 0) {
      return time.millis() - 20_000 + random.nextInt(23_000);
    }
    return samples.pick(known) - random.nextInt(2);
  }

  /** A column without index may lose superseded versions at any moment, so not into the past. */
  private List<Column> projection(boolean timed) {
    List<Column> columns = new ArrayList<>();
    if (random.nextInt(3) == 0) {
      for (Column column : timed ? Schema.INDEXED : Schema.COLUMNS) {
        if (random.nextBoolean()) {
          columns.add(column);
        }
      }
    }
    return columns;
  }
}
