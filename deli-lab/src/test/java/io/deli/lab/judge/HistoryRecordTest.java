package io.deli.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class HistoryRecordTest {
  private static final long BEGUN = 17;
  private static final long ENDED = 29;

  @Property(tries = 500)
  void recordsComeBackAsTheyWere(@ForAll("records") HistoryRecord record) {
    String line = record.toJson();
    assertThat(HistoryRecord.fromJson(line)).isEqualTo(record);
    assertThat(line).doesNotContain("\n");
  }

  @Provide
  Arbitrary<HistoryRecord> records() {
    Arbitrary<Long> calls = Arbitraries.longs().greaterOrEqual(1);
    Arbitrary<RowOperation> begun = operations(Span.UNKNOWN);
    return Arbitraries.oneOf(
        Arbitraries.longs().map(HistoryRecord.Beat::new),
        Combinators.combine(calls, Arbitraries.longs(), begun.list().ofMaxSize(3))
            .as(HistoryRecord.Begin::new),
        Combinators.combine(calls, operations(new Span(BEGUN, ENDED)).list().ofMaxSize(3))
            .as((call, told) -> new HistoryRecord.Told(call, ENDED, told)),
        Combinators.combine(calls, queries())
            .as((call, query) -> new HistoryRecord.Answered(call, ENDED, query)),
        Combinators.combine(calls, texts())
            .as((call, why) -> new HistoryRecord.Failed(call, ENDED, 2, why)));
  }

  private static Arbitrary<String> texts() {
    return Arbitraries.strings().ofMaxLength(8);
  }

  private static Arbitrary<Map<String, Optional<String>>> contents() {
    return Arbitraries.maps(texts(), texts().optional()).ofMaxSize(3);
  }

  private static Arbitrary<RowOperation> operations(Span span) {
    Arbitrary<Optional<RowOperation.Test>> tests =
        Combinators.combine(texts(), texts().optional()).as(RowOperation.Test::new).optional();
    Arbitrary<Span> spans = Arbitraries.of(span, new Span(span.begun(), Span.NEVER));
    return Combinators.combine(
            texts(),
            tests,
            Arbitraries.of(RowOperation.Outcome.values()),
            steps().list().ofMaxSize(2),
            contents(),
            spans,
            Arbitraries.of(true, false))
        .as(RowOperation::new);
  }

  private static Arbitrary<Step> steps() {
    return Arbitraries.oneOf(
        Arbitraries.maps(texts(), texts()).ofMaxSize(3).map(Step.Write::new),
        Combinators.combine(
                Arbitraries.of(Step.Scope.values()), texts().set().ofMaxSize(2), texts())
            .as(Step.Removal::new),
        Combinators.combine(texts(), Arbitraries.longs()).as(Step.Addition::new),
        Combinators.combine(texts(), texts()).as(Step.Extension::new));
  }

  private static Arbitrary<QueryCondition> conditions() {
    Arbitrary<QueryCondition> simple =
        Arbitraries.oneOf(
            Combinators.combine(texts(), texts(), texts()).as(QueryCondition.Between::new),
            Combinators.combine(texts(), texts()).as(QueryCondition.Prefix::new));
    return Arbitraries.oneOf(
        simple,
        Combinators.combine(simple, simple).as(QueryCondition.Both::new),
        Combinators.combine(simple, simple).as(QueryCondition.Either::new));
  }

  private static Arbitrary<RowQuery> queries() {
    Arbitrary<RowQuery.Hit> hits =
        Combinators.combine(texts(), texts(), Arbitraries.longs()).as(RowQuery.Hit::new);
    Arbitrary<Optional<RowQuery.Position>> positions =
        Combinators.combine(texts(), texts()).as(RowQuery.Position::new).optional();
    Arbitrary<Optional<RowQuery.Page>> pages =
        Combinators.combine(positions, positions).as(RowQuery.Page::new).optional();
    return Combinators.combine(texts(), conditions(), hits.list().ofMaxSize(3), pages)
        .as(
            (how, condition, all, page) ->
                new RowQuery(how, condition, all, new Span(BEGUN, ENDED), page));
  }
}
