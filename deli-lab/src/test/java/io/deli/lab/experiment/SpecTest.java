package io.deli.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.tools.Failure;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Specs say what they mean at every size, and are refused where they say something else. */
class SpecTest {
  @ParameterizedTest
  @EnumSource(Size.class)
  void everyExperimentOfTheCatalogIsWellFormed(Size size) {
    for (Experiment experiment : Experiment.all(size)) {
      assertThat(experiment.sentence()).as(experiment.name()).endsWith(".");
      assertThat(experiment.claims()).as(experiment.name()).isNotEmpty();
      assertThat(experiment.arms()).as(experiment.name()).isNotEmpty();
      assertThat(experiment.stages()).as(experiment.name()).isNotEmpty();
      assertThat(experiment.plots()).as(experiment.name()).isNotEmpty();
      for (Experiment.Claim claim : experiment.claims()) {
        assertThat(claim.checks(new Results(List.of())))
            .as(experiment.name() + " " + claim.source())
            .isNotEmpty()
            .allMatch(check -> check.verdict().equals("not measured"));
      }
    }
  }

  @Test
  void parametersArePickedBySizeAndSetByTheCommandLine() {
    Experiment small = Experiment.read("example", Size.SMALL, Map.of(), Set.of());
    assertThat(small.parameters()).containsEntry("rows", "40").containsEntry("threads", "1, 8");
    assertThat(small.workload()).containsEntry("valuecount", "20");
    assertThat(small.armNames()).containsExactly("plain", "lazy", "eager");
    assertThat(small.stages()).extracting(Experiment.Stage::name).containsExactly("w1", "w8");

    Experiment set =
        Experiment.read("example", Size.TINY, Map.of("rows", "100", "threads", "2,4,16"), Set.of());
    assertThat(set.workload()).containsEntry("valuecount", "50");
    assertThat(set.armNames()).containsExactly("plain", "lazy");
    assertThat(set.stages()).extracting(Experiment.Stage::name).containsExactly("w2", "w4", "w16");
    assertThatThrownBy(() -> Experiment.read("example", Size.TINY, Map.of("keys", "1"), Set.of()))
        .isInstanceOf(Failure.class)
        .hasMessage("example.yaml: there is no parameter 'keys': choose from rows, threads, files");
  }

  @Test
  void whatIsNotGivenIsThatOfTheSpecThatItIsLike() {
    Experiment like = Experiment.read("example-with-ratios", Size.TINY, Map.of(), Set.of());
    assertThat(like.sentence()).isEqualTo("Shows ratios.");
    assertThat(like.parameters()).containsEntry("files", "3").containsEntry("rows", "9");
    assertThat(like.plots()).hasSize(4);
  }

  @Test
  void anyStrategyIsAnArmWhereArmsAreStrategies() {
    Experiment example =
        Experiment.read("example", Size.TINY, Map.of(), Set.of("next", "eager", "plain"));
    assertThat(example.armNames()).containsExactly("plain", "eager", "next");
    assertThat(example.stages())
        .isNotEmpty()
        .allSatisfy(stage -> assertThat(stage.arms()).isEqualTo(example.armNames()));
    assertThatThrownBy(() -> Experiment.named("build", Size.TINY, Map.of(), Set.of("next")))
        .isInstanceOf(Failure.class)
        .hasMessage("the experiment has no arm next: choose from scan, threads, files, mapreduce");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "Shows: Nothing.                                   | 'shows' is missing",
        "arms: [quick]                                     | arms[0].quick: there is no strategy"
            + " 'quick'",
        "stages: [{stage: s, trial: [dance]}]              | stages[0].trial[0]: must have one of",
        "stages: [{stage: s, tryal: []}]                   | stages[0].tryal: there is no such key",
        "stages: [{stage: s, trial: [{create: {}, only: eagle}]}] | 'eagle' is none of [plain]",
        "stages: [{stage: s, after: t}]                    | there is no stage 't'",
        "stages: [{stage: s, trial: [{create: {}, record: {r: speed}}]}] | no quantity 'speed'",
        "stages: [{stage: s, trial: [{create: {}, record: {'': rate}}]}] | ': rate' says nothing",
        "stages: [{stage: s, trial: [{create: {}, record: {' @ 1': rate}}]}] | ' @ 1: rate' says",
        "stages: [{stage: s, trial: [{create: {}, record: {r: ''}}]}] | 'r: ' says nothing",
        "stages: [{stage: s, trial: [{run: {threads: many}}]}] | run.threads: must be a number",
        "workload: {recordcuont: 1}                        | there is no property 'recordcuont'",
        "checks: {aims: [{claim: c, measure: m, arm: plain}]} | checks.aims[0]: must have one of",
        "claims: [{'Paper, Figure 1': 'Fast.'}]            | claim 'Paper, Figure 1' has no check",
        "checks: {'Paper, Figure 2': []}                   | checks.Paper, Figure 2: there is no",
        "sentence: Nothing.                                | sentence: there is no such key here",
        "notes: {n: '${lines} and more'}                   | there is no parameter 'lines'",
        "stages: [                                         | while parsing",
      })
  void refusesWhatItDoesNotUnderstand(String line, String complaint) {
    String yaml =
        Stream.of("shows: Nothing.", "arms: [plain]", line)
            .filter(each -> each.equals(line) || !sameKey(each, line))
            .collect(Collectors.joining("\n"));
    assertThatThrownBy(
            () ->
                Experiment.of(
                    "wrong", Size.TINY, Set.of(), SpecFile.of("wrong.yaml", yaml, Size.TINY)))
        .isInstanceOf(Failure.class)
        .hasMessageStartingWith("wrong.yaml")
        .hasMessageContaining(complaint);
  }

  private static boolean sameKey(String line, String other) {
    return line.split(":", 2)[0].equalsIgnoreCase(other.split(":", 2)[0]);
  }
}
