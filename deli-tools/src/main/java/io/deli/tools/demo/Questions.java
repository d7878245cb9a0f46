package io.deli.tools.demo;

import io.deli.client.ValueQuery;
import io.deli.index.ValueType;
import io.deli.tools.demo.Questions.Question.Term;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.Bytes;

/** One question of each kind. */
final class Questions {
  /**
   * A query, and the same said independently of DELI, so that its answer can be checked.
   *
   * @param title what it asks, for a person
   * @param shell the options of {@code deli query} that ask the same
   * @param alternatives the condition as a list of alternatives, each a list of terms that all hold
   */
  record Question(String title, String shell, ValueQuery query, List<List<Term>> alternatives) {

    /** A condition on the text form of a column's value. */
    record Term(String column, Predicate<String> holds) {}

    static Question of(
        String title, String shell, ValueQuery query, String column, Predicate<String> holds) {
      return new Question(title, shell, query, List.of(List.of(new Term(column, holds))));
    }
  }

  private Questions() {}

  static List<Question> all(long then) {
    return Stream.of(byValue(), combined(), byTime(then)).flatMap(List::stream).toList();
  }

  private static List<Question> byValue() {
    return List.of(
        Question.of(
            "airports in Peru",
            "by_country --equal Peru",
            country("Peru"),
            "country",
            "Peru"::equals),
        Question.of(
            "cities that begin with 'San'",
            "by_city --prefix San",
            ValueQuery.on("by_city").prefix(Bytes.toBytes("San")),
            "city",
            city -> city.startsWith("San")),
        Question.of(
            "from 8,000 to 9,000 feet, 9,000 excluded",
            "by_altitude --from 8000 --before 9000",
            ValueQuery.on("by_altitude").between(number(8000), true, number(9000), false),
            "altitude",
            feet(a -> a >= 8000 && a < 9000)),
        Question.of(
            "the highest first, above 12,000 feet",
            "by_altitude --after 12000 --reverse",
            ValueQuery.on("by_altitude").greaterThan(number(12000)).reversed(),
            "altitude",
            feet(a -> a > 12000)));
  }

  private static List<Question> combined() {
    return List.of(
        new Question(
            "in Bolivia and at 10,000 feet or more",
            "by_country --equal Bolivia --and 'by_altitude>=10000'",
            country("Bolivia").and(ValueQuery.on("by_altitude").atLeast(number(10000))),
            List.of(
                List.of(
                    new Term("country", "Bolivia"::equals),
                    new Term("altitude", feet(a -> a >= 10000))))),
        new Question(
            "in Iceland or in Malta",
            "by_country --equal Iceland --or by_country=Malta",
            country("Iceland").or(country("Malta")),
            List.of(
                List.of(new Term("country", "Iceland"::equals)),
                List.of(new Term("country", "Malta"::equals)))));
  }

  private static List<Question> byTime(long then) {
    return List.of(
        Question.of(
            "the five that were closed last",
            "by_status --equal closed --most-recent 5",
            ValueQuery.on("by_status").equalTo(Bytes.toBytes("closed")).mostRecent(5),
            "status",
            "closed"::equals),
        Question.of(
            "closed now or in the version before",
            "by_status --equal closed --versions 2",
            ValueQuery.on("by_status").equalTo(Bytes.toBytes("closed")).versions(2),
            "status",
            "closed"::equals),
        Question.of(
            "closed before the last update",
            "by_status --equal closed --as-of " + then,
            ValueQuery.on("by_status").equalTo(Bytes.toBytes("closed")).asOf(then),
            "status",
            "closed"::equals));
  }

  private static ValueQuery country(String name) {
    return ValueQuery.on("by_country").equalTo(Bytes.toBytes(name));
  }

  private static Predicate<String> feet(LongPredicate holds) {
    return value -> holds.test(Long.parseLong(value));
  }

  private static byte[] number(long value) {
    return ValueType.LONG.parse(Long.toString(value));
  }
}
