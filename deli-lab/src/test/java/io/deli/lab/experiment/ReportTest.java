package io.deli.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    return new Report(new Example(), Map.of("JDK", "17"), "2026-01-02", results());
  }

  @Test
  void figuresChecksAndClaims() {
    assertThat(report().markdown(Optional.empty()))
        .contains(
            "# example",
            "| date | 2026-01-02 |",
            "| JDK | 17 |",
            "* Paper, Figure 1: twice as fast",
            "| plain / lazy | at least 2.00 | 2.00 | yes |",
            "| lazy / plain | at most 0.40 | 0.50 | no |",
            "| eager / plain | at least 1.00 |  | not measured |",
            "### rate, rows/s",
            "| | 1 | 8 |",
            "| plain | 2,001 (2,000 - 2,002) | 16,001 (16,000 - 16,002) |",
            "| lazy | 1,000 | 8,000 |");
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
      assertThat(image.getWidth()).isEqualTo(Plots.WIDTH);
      assertThat(image.getHeight()).isEqualTo(Plots.HEIGHT);
      int[] pixels = image.getRGB(0, 0, Plots.WIDTH, Plots.HEIGHT, null, 0, Plots.WIDTH);
      assertThat(Arrays.stream(pixels).filter(pixel -> pixel != WHITE).count())
          .isGreaterThan(5_000);
      assertThat(Files.readString(directory.resolve(file + ".svg")))
          .contains("<svg", "<path", "</svg>")
          .hasSizeGreaterThan(10_000);
    }
    assertThat(directory.resolve("unmeasured.png")).doesNotExist();
  }

  /** A plain experiment. */
  private static final class Example implements Experiment {
    @Override
    public String name() {
      return "example";
    }

    @Override
    public String sentence() {
      return "Shows nothing.";
    }

    @Override
    public List<Claim> claims() {
      return List.of(new Claim("Paper, Figure 1", "twice as fast"));
    }

    @Override
    public ServerNeeds server(Size size) {
      return ServerNeeds.heap(512);
    }

    @Override
    public List<String> arms(Size size) {
      return List.of("plain", "lazy");
    }

    @Override
    public Map<String, String> parameters(Size size) {
      return Map.of();
    }

    @Override
    public void run(Lab lab) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<Plot> plots() {
      return List.of(
          Plot.lines("lines", "Lines", "rate", "threads"),
          Plot.groups("groups", "Groups", "rate", "threads"),
          Plot.groups("logarithmic", "Groups", "rate", "threads").onLogarithmicScale(),
          Plot.lines("unmeasured", "None", "latency", "threads"));
    }

    @Override
    public List<Check> checks(Results results) {
      return List.of(
          Check.atLeast("plain / lazy", results.ratio("rate", "8", "plain", "lazy"), 2),
          Check.atMost("lazy / plain", results.ratio("rate", "8", "lazy", "plain"), 0.4),
          Check.atLeast("eager / plain", results.ratio("rate", "8", "eager", "plain"), 1));
    }
  }
}
