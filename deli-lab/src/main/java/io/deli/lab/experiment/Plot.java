package io.deli.lab.experiment;

/**
 * One plot of one measure, a series for each arm.
 *
 * @param file name without its ending
 * @param title above it
 * @param measure whose values it shows
 * @param xTitle of the horizontal axis, with its unit; empty if the values of an arm differ in
 *     nothing: then arms are beside each other
 * @param kind whether what differs is a number
 * @param logarithmic whether the values' axis is; otherwise it begins at 0
 */
public record Plot(
    String file, String title, String measure, String xTitle, Kind kind, boolean logarithmic) {
  /** The kind of the horizontal axis. */
  public enum Kind {
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
}
