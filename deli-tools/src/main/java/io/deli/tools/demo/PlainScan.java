package io.deli.tools.demo;

import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.index.ValueType;
import io.deli.tools.demo.Questions.Question;
import io.deli.tools.demo.Questions.Question.Term;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Answers questions the hard way: reads the whole table through plain HBase, and filters. */
record PlainScan(Table table) {
  private static final byte[] FAMILY = Bytes.toBytes(Airport.FAMILY);

  record Answer(String row, String value, long timestamp) {
    static Answer of(ValueHit hit, ValueType type) {
      return new Answer(Bytes.toString(hit.row()), type.format(hit.value()), hit.timestamp());
    }
  }

  /** All hits of a question, in no order of use except for {@code mostRecent}. */
  List<Answer> answer(Question question) throws IOException {
    ValueQuery.Options options = question.query().options();
    Scan scan = new Scan().addFamily(FAMILY).readVersions(options.versions()).setCaching(1000);
    if (options.asOf().isPresent()) {
      scan.setTimeRange(0, options.asOf().getAsLong() + 1);
    }
    List<Answer> answers = new ArrayList<>();
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row : rows) {
        question.alternatives().stream()
            .map(terms -> hits(row, terms))
            .filter(hits -> !hits.isEmpty())
            .findFirst()
            .ifPresent(answers::addAll);
      }
    }
    if (options.mostRecent().isPresent()) {
      return answers.stream()
          .sorted(Comparator.comparingLong(Answer::timestamp).reversed().thenComparing(Answer::row))
          .limit(options.mostRecent().getAsInt())
          .toList();
    }
    return answers;
  }

  /** The versions of the first term's column, if the newest of the others hold. */
  private static List<Answer> hits(Result row, List<Term> terms) {
    for (Term other : terms.subList(1, terms.size())) {
      Optional<Cell> newest = cells(row, other.column()).stream().findFirst();
      if (newest.isEmpty() || !other.holds().test(value(newest.get(), other.column()))) {
        return List.of();
      }
    }
    Term first = terms.get(0);
    return cells(row, first.column()).stream()
        .map(
            cell ->
                new Answer(
                    Bytes.toString(row.getRow()), value(cell, first.column()), cell.getTimestamp()))
        .filter(answer -> first.holds().test(answer.value()))
        .toList();
  }

  private static List<Cell> cells(Result row, String column) {
    return row.getColumnCells(FAMILY, Bytes.toBytes(column));
  }

  private static String value(Cell cell, String column) {
    return Airport.type(column).format(CellUtil.cloneValue(cell));
  }
}
