package io.deli.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.lab.experiment.AnswerCheck.Own;
import io.deli.ycsb.ValueRead;
import io.deli.ycsb.ValueReads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.ByteIterator;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

class AnswerCheckTest {
  private static final int ROWS = 2_000;

  private final AnswerCheck answers = new AnswerCheck();

  private static void write(Own own, long row, long value) {
    own.write(Workloads.key(row), Workloads.value(value), () -> Status.OK);
  }

  private static void find(Own own, List<Long> values, long... rows) {
    List<Map<String, ByteIterator>> result = new ArrayList<>();
    for (long row : rows) {
      result.add(new HashMap<>(Map.of(ValueReads.KEY, new StringByteIterator(Workloads.key(row)))));
    }
    List<String> operands = values.stream().map(Workloads::value).toList();
    own.find(
        new ValueRead(ValueRead.Kind.READVALUE, Workloads.FIELD, operands, 0, Set.of()),
        result,
        () -> Status.OK);
  }

  private void assertCounts(double checked, double wrong) {
    assertThat(answers.takeCounts())
        .containsEntry(AnswerCheck.CHECKED, checked)
        .containsEntry(AnswerCheck.WRONG, wrong);
  }

  @Test
  void rowsThatAreMissedOrFalseAreWrong() {
    Own own = answers.own(0, 1, ROWS, 1);
    write(own, 1, 7);
    write(own, 2, 7);
    write(own, 2, 8);
    find(own, List.of(7L), 1);
    find(own, List.of(7L, 8L), 1, 2);
    assertCounts(2, 0);
    find(own, List.of(7L));
    find(own, List.of(7L), 1, 2);
    find(own, List.of(7L, 8L), 1);
    assertCounts(3, 3);
  }

  @ParameterizedTest
  @CsvSource({"0.02, 20, 60", "0.5, 900, 1100"})
  void ofAShareOfTheValuesAllAnswersAreCompared(double share, double least, double most) {
    Own own = answers.own(0, 1, ROWS, share);
    for (int row = 0; row < ROWS; row++) {
      write(own, row, row);
    }
    for (long value = 0; value < ROWS; value++) {
      find(own, List.of(value), value);
    }
    Map<String, Double> right = answers.takeCounts();
    assertThat(right.get(AnswerCheck.CHECKED)).isBetween(least, most);
    assertThat(right).containsEntry(AnswerCheck.WRONG, 0.0);
    for (long value = 0; value < ROWS; value++) {
      find(own, List.of(value));
    }
    double checked = right.get(AnswerCheck.CHECKED);
    assertCounts(checked, checked);
    find(own, List.of(1L, 9L));
    assertCounts(0, 0);
  }
}
