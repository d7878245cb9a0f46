package io.deli.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.simulation.SmallWorld.Explored;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every course of events of small worlds, where random histories only meet some. */
@Tag("simulation")
class SmallWorldsTest {
  @Test
  void noCourse_ofAnySmallWorld_isWrong() {
    long sum = SmallWorlds.all().parallelStream().mapToLong(SmallWorldsTest::explore).sum();
    System.out.printf(
        "small worlds: %d worlds, %d courses, none wrong%n", SmallWorlds.all().size(), sum);
    assertThat(sum).isGreaterThan(10_000);
  }

  private static long explore(SmallWorld world) {
    Explored explored = world.explore(Optional.empty(), Long.MAX_VALUE);
    System.out.printf("%8d courses: %s%n", explored.courses(), world.name());
    explored
        .wrong()
        .ifPresent(
            wrong -> {
              throw new AssertionError(
                  "%s%n%s%n%s"
                      .formatted(
                          world.name(),
                          String.join("\n", wrong.trace()),
                          String.join("\n", wrong.violations())));
            });
    return explored.courses();
  }

  @ParameterizedTest
  @EnumSource(names = {"ENTRY_LATE", "NO_ADMISSION", "NO_COLLECTION", "RETRIES_UNCOUNTED"})
  void aDefect_isFoundInASmallWorld(Defect defect) {
    // A few courses of each world first: many worlds have thousands that do not show it.
    assertThat(LongStream.of(50, 500, 5_000))
        .anyMatch(
            most ->
                SmallWorlds.all().stream()
                    .anyMatch(
                        world -> world.explore(Optional.of(defect), most).wrong().isPresent()));
  }
}
