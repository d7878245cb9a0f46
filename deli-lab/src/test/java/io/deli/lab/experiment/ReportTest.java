package io.deli.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.lab.experiment.Results.Measurement;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report says what was measured, whether the claims hold, and draws it. */
class ReportTest {
  private static final int WHITE = 0xFFFFFFFF;

  @TempDir private Path directory;

  /** Two arms, two circumstances, three rounds. */
  private static Results results() {
    List<Measurement> all = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (String x : List.of("1", "8")) {
        int threads = Integer.parseInt(x);
        all.add(new Measurement("w", round, "plain", "rate", x, "rows/s", 2000 * threads + round));
        all.add(new Measurement("w", round, "lazy", "rate", x, "rows/s", 1000 * threads));
      }
    }
    return new Results(all);
  }

  private static Report report() {
    return new Report(
        Experiment.read("example", Size.TINY, Map.of(), Set.of()),
        Map.of("JDK", "17"),
        "2026-01-02",
        results());
  }

  @Test
  void figuresChecksAndClaims() {
    assertThat(report().markdown(Optional.empty()))
        .contains(
            "# example",
            "| date | 2026-01-02 |",
            "| JDK | 17 |",
            "### Paper, Figure 1: 1 of 2",
            "twice as fast",
            "| plain / lazy | at least 2.00 | 2.00 | yes |",
            "| lazy / plain | at most 0.40 | 0.50 | no |",
            "| eager / plain | at least 1.00 |  | not measured |",
            "### rate, rows/s",
            "| | 1 | 8 |",
            "| plain | 2,001 (2,000 - 2,002) | 16,001 (16,000 - 16,002) |",
            "| lazy | 1,000 | 8,000 |");
    assertThat(Report.claims(List.of(report())))
        .contains(
            "| Paper, Figure 1 | 1 of 2 | example |",
            "| aims | 0 of 0, 1 not measured | example |");
  }

  @Test
  void remarksOfAPersonAreTakenIn() throws IOException {
    Files.writeString(directory.resolve("notes.md"), "The disk was full.\n");
    report().write(directory);
    assertThat(Files.readAllLines(directory.resolve(Report.FILE))).contains("The disk was full.");
  }

  @Test
  void plotsAreImagesOfTheirSizeWithSomethingOnThem() throws IOException {
    report().write(directory);
    for (String file : List.of("lines", "groups", "logarithmic")) {
      BufferedImage image = ImageIO.read(directory.resolve(file + ".png").toFile());
      assertThat(image.getWidth()).isEqualTo(Plot.WIDTH);
      assertThat(image.getHeight()).isEqualTo(Plot.HEIGHT);
      int[] pixels = image.getRGB(0, 0, Plot.WIDTH, Plot.HEIGHT, null, 0, Plot.WIDTH);
      assertThat(Arrays.stream(pixels).filter(pixel -> pixel != WHITE).count())
          .isGreaterThan(5_000);
      assertThat(Files.readString(directory.resolve(file + ".svg")))
          .contains("<svg", "<path", "</svg>")
          .hasSizeGreaterThan(10_000);
    }
    assertThat(directory.resolve("unmeasured.png")).doesNotExist();
  }

  @Test
  void ratiosAreToTheFirstArm() {
    Experiment example = Experiment.read("example", Size.TINY, Map.of(), Set.of());
    assertThat(example.ratios()).isFalse();
    Report withRatios =
        new Report(
            Experiment.read("example-with-ratios", Size.TINY, Map.of(), Set.of()),
            Map.of(),
            "2026-01-02",
            results());
    assertThat(withRatios.markdown(Optional.empty()))
        .contains(
            "| plain | 2,001 (2,000 - 2,002), ratio 1.00 | 16,001 (16,000 - 16,002), ratio 1.00 |",
            "| lazy | 1,000, ratio 0.50 | 8,000, ratio 0.50 |");
    assertThat(withRatios.json().get("figures").toString()).contains("ratio=0.49");
  }
}
