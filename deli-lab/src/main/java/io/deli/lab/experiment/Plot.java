package io.deli.lab.experiment;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * One plot of one measure, a series for each arm.
 *
 * @param file name without its ending
 * @param xTitle of the horizontal axis, with its unit; empty if the values of an arm differ in
 *     nothing: then arms are beside each other
 * @param logarithmic whether the values' axis is; otherwise it begins at 0
 */
record Plot(
    String file, String title, String measure, String xTitle, Kind kind, boolean logarithmic) {
  static final int WIDTH = 960;
  static final int HEIGHT = 540;

  /** The share of a group's room that its arms take. */
  private static final double SPREAD = 0.7;

  private static final List<String> FORMATS = List.of("png", "svg");

  private static final String NUMBERS = "#,##0.######";
  private static final int LABEL_SIZE = 14;
  private static final int LETTER = 9;
  private static final int MARK_SIZE = 10;
  private static final float RANGE_STROKE = 2;

  /** About the width of what is inside of the axes. */
  private static final int INSIDE = 740;

  /** The share of its room that a bar takes, and how much of what is behind it shows through. */
  private static final double BAR = 0.8;

  private static final int BAR_ALPHA = 90;

  private static final List<Color> COLORS =
      Stream.of(
              0x4E79A7, 0xF28E2B, 0xE15759, 0x76B7B2, 0x59A14F, 0xB6992D, 0xB07AA1, 0xFF9DA7,
              0x9C755F, 0x79706E)
          .map(Color::new)
          .toList();

  private static final List<Marker> MARKERS =
      List.of(
          SeriesMarkers.CIRCLE,
          SeriesMarkers.SQUARE,
          SeriesMarkers.DIAMOND,
          SeriesMarkers.TRIANGLE_UP,
          SeriesMarkers.TRIANGLE_DOWN);

  enum Kind {
    /** Numbers; points of an arm are connected. */
    LINES,
    /** Words; arms are beside each other at each. */
    GROUPS
  }

  static Plot of(SpecNode node) {
    Kind kind = node.has("lines") ? Kind.LINES : Kind.GROUPS;
    Plot plot =
        new Plot(
            node.text(kind == Kind.LINES ? "lines" : "groups"),
            node.text("title"),
            node.text("measure"),
            node.text("x", ""),
            kind,
            node.flag("logarithmic"));
    node.end();
    return plot;
  }

  /**
   * Draws it into its files: a mark at the median of each figure, and a thin line from the least to
   * the greatest of its rounds. Groups have bars, too, but on logarithmic axes, where bars lie. An
   * arm looks the same in all plots of an experiment.
   */
  void draw(Results results, Path directory) throws IOException {
    System.setProperty("java.awt.headless", "true");
    XYChart chart = chart(results);
    for (String format : FORMATS) {
      ChartEncoder.saveChart(chart, directory.resolve(file).toString(), format);
    }
  }

  private XYChart chart(Results results) {
    List<String> arms = results.arms(measure);
    List<String> xs = results.xs(measure);
    boolean armsAside =
        kind == Kind.GROUPS
            && xs.size() == 1
            && arms.stream().allMatch(arm -> arm.length() <= room(arms));
    XYChart chart = empty(results);
    int bars = (int) (BAR * (armsAside ? INSIDE : SPREAD * INSIDE / xs.size()) / arms.size());
    List<String> everyone = results.arms();
    DoubleSummaryStatistics values = new DoubleSummaryStatistics();
    for (int arm = 0; arm < arms.size(); arm++) {
      List<Mark> marks = new ArrayList<>();
      for (int x = 0; x < xs.size(); x++) {
        Optional<Figure> figure = results.figure(measure, xs.get(x), arms.get(arm));
        if (figure.isPresent() && (!logarithmic || figure.get().least() > 0)) {
          marks.add(new Mark(armsAside ? arm : position(xs, x, arm, arms.size()), figure.get()));
          values.accept(figure.get().least());
          values.accept(figure.get().greatest());
        }
      }
      int look = everyone.indexOf(arms.get(arm));
      if (!marks.isEmpty()) {
        addMedians(chart, arms.get(arm), look, marks);
        marks.forEach(mark -> addRange(chart, mark, look));
        if (kind == Kind.GROUPS && !logarithmic) {
          marks.forEach(mark -> addBar(chart, mark, look, bars));
        }
      }
    }
    style(chart.getStyler(), values);
    if (kind == Kind.GROUPS) {
      groups(chart, armsAside ? arms : xs);
    }
    chart.getStyler().setLegendVisible(!armsAside);
    return chart;
  }

  private XYChart empty(Results results) {
    return new XYChartBuilder()
        .width(WIDTH)
        .height(HEIGHT)
        .title(title)
        .xAxisTitle(xTitle)
        .yAxisTitle(measure + ", " + results.unit(measure))
        .build();
  }

  private record Mark(double x, Figure figure) {}

  private double position(List<String> xs, int x, int arm, int arms) {
    if (kind == Kind.LINES) {
      return Double.parseDouble(xs.get(x));
    }
    return x + SPREAD * ((arm + 0.5) / arms - 0.5);
  }

  private void addMedians(XYChart chart, String arm, int look, List<Mark> marks) {
    XYSeries medians =
        chart.addSeries(
            arm,
            marks.stream().mapToDouble(Mark::x).toArray(),
            marks.stream().mapToDouble(mark -> mark.figure.median()).toArray());
    Color color = color(look);
    // Arms that share a color, since there are more of them, differ in this.
    int shape = look + look / COLORS.size();
    medians.setMarkerColor(color).setMarker(MARKERS.get(shape % MARKERS.size()));
    medians.setLineColor(color).setLineStyle(new BasicStroke(RANGE_STROKE));
    if (kind == Kind.GROUPS) {
      medians.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
    }
  }

  private static void addRange(XYChart chart, Mark mark, int look) {
    addLine(chart, mark.x, mark.figure.least(), mark.figure.greatest())
        .setLineColor(color(look))
        .setLineStyle(new BasicStroke(RANGE_STROKE));
  }

  private static void addBar(XYChart chart, Mark mark, int look, int width) {
    Color color = color(look);
    addLine(chart, mark.x, 0, mark.figure.median())
        .setLineColor(new Color(color.getRed(), color.getGreen(), color.getBlue(), BAR_ALPHA))
        .setLineStyle(new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER));
  }

  private static XYSeries addLine(XYChart chart, double x, double from, double to) {
    XYSeries line =
        chart.addSeries(
            "line " + chart.getSeriesCollection().size(),
            new double[] {x, x},
            new double[] {from, to});
    line.setMarker(SeriesMarkers.NONE).setShowInLegend(false);
    return line;
  }

  private static Color color(int look) {
    return COLORS.get(look % COLORS.size());
  }

  private void style(XYStyler styler, DoubleSummaryStatistics values) {
    Font labels = new Font(Font.SANS_SERIF, Font.PLAIN, LABEL_SIZE);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, LABEL_SIZE + 2));
    styler.setLegendFont(labels).setLegendPosition(Styler.LegendPosition.OutsideE);
    styler.setAxisTickLabelsFont(labels);
    styler.setAxisTitleFont(labels);
    styler.setMarkerSize(MARK_SIZE);
    styler.setDecimalPattern(NUMBERS);
    styler.setYAxisLogarithmic(logarithmic);
    if (!logarithmic) {
      styler.setYAxisMin(0.0).setYAxisMax(values.getMax() > 0 ? 1.05 * values.getMax() : 1);
    } else if (values.getCount() > 0) {
      // Powers of ten alone are labelled: two at least.
      double least = Math.floor(Math.log10(values.getMin()));
      double greatest = Math.max(least + 1, Math.ceil(Math.log10(values.getMax())));
      styler.setYAxisMin(Math.pow(10, least)).setYAxisMax(Math.pow(10, greatest));
    }
  }

  /** Words below whole numbers; ticks elsewhere would be without a word, which XChart refuses. */
  private static void groups(XYChart chart, List<String> words) {
    chart.getStyler().setXAxisMin(-0.5).setXAxisMax(words.size() - 0.5);
    chart.getStyler().setXAxisTickMarkSpacingHint((int) (1.1 * INSIDE / words.size()));
    chart.setCustomXAxisTickLabelsFormatter(
        x -> {
          int place = (int) Math.round(x);
          return place >= 0 && place < words.size() ? label(words, place) : " ";
        });
  }

  /** Labels that overlap would have the axis seek a place for them for ever. */
  private static String label(List<String> words, int place) {
    String word = words.get(place);
    return word.substring(0, Math.min(word.length(), room(words)));
  }

  /** How many letters each of so many labels has room for. */
  private static int room(List<String> words) {
    return INSIDE / Math.max(1, words.size()) / LETTER;
  }
}
