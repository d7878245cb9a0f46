package io.deli.tools.demo;

import io.deli.client.Continuation;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.ValueType;
import io.deli.tools.Failure;
import io.deli.tools.demo.PlainScan.Answer;
import io.deli.tools.demo.Questions.Question;
import io.deli.tools.output.Terminal;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;

/** Asks questions through an index and by a plain scan, and compares. */
record Interrogation(
    Terminal terminal, DeliConnection connection, TableName table, List<Question> questions) {
  private static final int SHOWN = 4;
  private static final int PAGE = 20;
  private static final Comparator<Answer> ORDER =
      Comparator.comparing(Answer::row)
          .thenComparing(Answer::timestamp)
          .thenComparing(Answer::value);

  /** Asks all questions, each also page by page; fails on the first answer that differs. */
  String run(boolean show) throws IOException {
    long hits = 0;
    try (DeliTable indexed = connection.getTable(table);
        Connection plain = ConnectionFactory.createConnection(connection.getConfiguration());
        Table scanned = plain.getTable(table)) {
      PlainScan scan = new PlainScan(scanned);
      for (Question question : questions) {
        hits += ask(indexed, scan, question, show);
      }
    }
    return "%d questions, %,d hits, all as a plain scan finds them"
        .formatted(questions.size(), hits);
  }

  private long ask(DeliTable indexed, PlainScan scan, Question question, boolean show)
      throws IOException {
    long start = System.nanoTime();
    List<Answer> found = new ArrayList<>();
    read(indexed, question, question.query(), found);
    long middle = System.nanoTime();
    List<Answer> expected = scan.answer(question);
    long end = System.nanoTime();
    if (show) {
      show(question, found, (middle - start) / 1e6, (end - middle) / 1e6);
    }
    require(question, "", found, expected);
    if (question.query().options().mostRecent().isEmpty()) {
      require(question, " page by page", pages(indexed, question), expected);
    } else if (!found.equals(expected)) {
      throw wrong(question, " in its order", found, expected);
    }
    return found.size();
  }

  /** Adds the hits of a query; returns where the next page starts, if it has a limit. */
  private static Optional<Continuation> read(
      DeliTable indexed, Question question, ValueQuery query, List<Answer> answers)
      throws IOException {
    ValueType type = Airport.type(question.alternatives().get(0).get(0).column());
    try (ValueScanner scanner = indexed.readValue(query)) {
      for (ValueHit hit : scanner) {
        answers.add(Answer.of(hit, type));
      }
      return scanner.continuation();
    }
  }

  private static List<Answer> pages(DeliTable indexed, Question question) throws IOException {
    List<Answer> answers = new ArrayList<>();
    ValueQuery query = question.query().limit(PAGE);
    Optional<Continuation> next = Optional.empty();
    do {
      next = read(indexed, question, next.map(query::from).orElse(query), answers);
    } while (next.isPresent());
    return answers;
  }

  private void show(Question question, List<Answer> found, double index, double scan) {
    terminal.print("");
    terminal.print(
        String.format(
            Locale.ROOT,
            "%s: %,d hits, by the index in %.0f ms, by a scan in %.0f ms",
            question.title(),
            found.size(),
            index,
            scan));
    terminal.print("deli query " + table + " " + question.shell());
    terminal.table(
        List.of("row", "value", "timestamp"),
        found.stream()
            .limit(SHOWN)
            .map(hit -> List.of(hit.row(), hit.value(), Instant.ofEpochMilli(hit.timestamp())))
            .toList());
  }

  private static void require(
      Question question, String how, List<Answer> found, List<Answer> expected) {
    if (!found.stream().sorted(ORDER).toList().equals(expected.stream().sorted(ORDER).toList())) {
      throw wrong(question, how, found, expected);
    }
  }

  private static Failure wrong(
      Question question, String how, List<Answer> found, List<Answer> expected) {
    List<Answer> missed = new ArrayList<>(expected);
    missed.removeAll(found);
    List<Answer> added = new ArrayList<>(found);
    added.removeAll(expected);
    return Failure.of(
        "'%s'%s: the index finds %,d, a scan %,d; missed %s; added %s"
            .formatted(
                question.title(),
                how,
                found.size(),
                expected.size(),
                missed.stream().limit(3).toList(),
                added.stream().limit(3).toList()));
  }
}
