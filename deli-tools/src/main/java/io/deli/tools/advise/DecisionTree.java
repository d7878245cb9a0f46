package io.deli.tools.advise;

import io.deli.strategy.Strategies;
import io.deli.tools.advise.DecisionTree.Advice.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The decision trees of LevelDB++ (Figure 2, with the summary of results in its section 1) and of
 * the embedded index (Figure 15, with its section 6), made one.
 *
 * <p>Both begin alike: an index without a table of its own where space is scarce, where lookups are
 * rare amid many writes, or (LevelDB++) where values follow time. Of indexes with a table,
 * LevelDB++ chooses lazy lists where the K most recent hits suffice, else composite keys. We
 * depart:
 *
 * <ul>
 *   <li>First of all we ask whether an index pays at all, as the papers take for granted.
 *   <li>Bounds also exclude blocks where values follow row keys, so we ask what share of a sample's
 *       stretches they exclude, too.
 *   <li>For ranges of scattered values {@code next} takes the place of {@code embedded}, which
 *       reads as much as a scan for them (LevelDB++, Table 3; NEXT, Table 1).
 *   <li>Where values are replaced often, Figure 15 chooses eager lists. LevelDB++, by the same
 *       authors, found them unfit for any work. In DELI {@code deferred} takes stale entries out
 *       and reads nothing when it writes; where there is hardly a write, {@code in-place} does.
 *   <li>{@code composite} keeps stale entries for ever. {@code deferred} writes the same and takes
 *       them out, so it is chosen unless it is known that there will be almost none.
 * </ul>
 *
 * <p>Not thread-safe; for one advice.
 */
public final class DecisionTree {
  /**
   * The strategy to choose.
   *
   * @param byTime whether its entries should be ordered by time
   * @param decisions the branches that led to it, in order
   * @param notes hints on its use
   */
  public record Advice(
      String strategy, boolean byTime, List<Decision> decisions, List<String> notes) {
    /**
     * One branch that was taken.
     *
     * @param because the fact that answered the question
     * @param after the paper that asks it, or DELI's question in its place, with the reason
     */
    public record Decision(String question, boolean answer, String because, String after) {}
  }

  /** Lookups among reads, below which they are rare: both papers. Also of writes. */
  static final double RARE = 0.05;

  /** Writes among operations, above which they are many: both papers. */
  static final double HEAVY = 0.5;

  /** The papers say "high" and "highly"; these figures are ours. */
  static final double CORRELATED = 0.8;

  static final double EXCLUDING = 0.1;

  static final double MANY_UPDATES = 0.1;

  private static final String BOTH = "LevelDB++, Figure 2; embedded index, Figure 15";

  private final Facts facts;
  private final List<Decision> path = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private DecisionTree(Facts facts) {
    this.facts = facts;
  }

  /** The strategy for these facts. */
  public static Advice advise(Facts facts) {
    DecisionTree tree = new DecisionTree(facts);
    String strategy = tree.strategy();
    if (Strategies.named(strategy).isSaltable() && facts.column().timeCorrelation() >= CORRELATED) {
      tree.notes.add(
          "Values grow with time, so one region of the index table takes all writes, unless it is"
              + " made with --buckets.");
    }
    boolean byTime =
        facts.wants().limit().isPresent() && Strategies.named(strategy).ordersEntries();
    return new Advice(strategy, byTime, List.copyOf(tree.path), List.copyOf(tree.notes));
  }

  private String strategy() {
    if (scanIsAsGood()) {
      notes.add("Ask again when the table has grown.");
      return "none";
    }
    if (spaceIsScarce() || lookupsAreRareAmidWrites() || boundsExcludeBlocks()) {
      if (rangesAreOfScatteredValues()) {
        return "next";
      }
      if (isScattered() && Math.abs(facts.column().timeCorrelation()) >= CORRELATED) {
        notes.add(
            "Values follow time, but neighbouring rows are of all times: bounds exclude blocks of"
                + " other files only, hence little after a major compaction.");
      }
      return "embedded";
    }
    if (updatesAreMany()) {
      return writesAreRare() ? "in-place" : "deferred";
    }
    if (fewHitsSuffice()) {
      if (facts.updates().isEmpty()) {
        notes.add(
            "If values are replaced often, choose deferred with order BY_TIME (--updates tells).");
      }
      return "lazy";
    }
    return updatesAreKnown() ? "composite" : "deferred";
  }

  private boolean scanIsAsGood() {
    return ask(
        "Would a lookup read as many rows as the table has blocks?",
        facts.hits() >= facts.blocks(),
        format("%.1f hits, %.1f blocks", facts.hits(), facts.blocks()),
        "DELI: each hit is verified in a block of its own");
  }

  private boolean spaceIsScarce() {
    return ask(
        "Is there no room for an index table?",
        facts.wants().space(),
        facts.wants().space() ? "--space" : "--space is not given",
        BOTH);
  }

  private boolean lookupsAreRareAmidWrites() {
    OptionalDouble lookups = facts.wants().lookups();
    OptionalDouble writes = facts.writes();
    return ask(
        "Are fewer than 5 % of the reads lookups, and more than 50 % of all operations writes?",
        lookups.orElse(1) < RARE && writes.orElse(0) > HEAVY,
        "lookups %s, writes %s"
            .formatted(percent(lookups, "unknown without --lookups"), percent(writes, "unknown")),
        BOTH);
  }

  private boolean boundsExcludeBlocks() {
    double correlation = facts.column().timeCorrelation();
    double share = facts.column().boundsShare();
    return ask(
        "Do values follow time or row keys, so that zone maps exclude most blocks?",
        Math.abs(correlation) >= CORRELATED || share <= EXCLUDING,
        format("correlation with time %.2f, bounds leave %.0f %%", correlation, 100 * share),
        "LevelDB++, Figure 2; row keys: DELI");
  }

  private boolean rangesAreOfScatteredValues() {
    return ask(
        "Are ranges asked for, over values that are spread over all blocks?",
        facts.wants().range() && isScattered(),
        format(
            "%s, bounds leave %.0f %%",
            facts.wants().range() ? "--range" : "--range is not given",
            100 * facts.column().boundsShare()),
        "LevelDB++, Table 3; NEXT, Table 1");
  }

  private boolean isScattered() {
    return facts.column().boundsShare() > HEAVY;
  }

  private boolean updatesAreMany() {
    return ask(
        "Do more than 10 % of the writes replace or delete a value?",
        facts.updates().orElse(0) > MANY_UPDATES,
        percent(facts.updates(), "unknown without --updates"),
        "embedded index, Figure 15; DELI: no eager lists, which LevelDB++ found unfit");
  }

  private boolean writesAreRare() {
    boolean rare = facts.writes().orElse(1) < RARE;
    return ask(
        "Are fewer than 5 % of all operations writes, and old versions not asked for?",
        rare && !facts.wants().versions(),
        "writes %s, --versions %s"
            .formatted(
                percent(facts.writes(), "unknown"),
                facts.wants().versions() ? "given" : "not given"),
        "DELI: in-place reads with each write and knows the newest version only");
  }

  private boolean fewHitsSuffice() {
    boolean limited = facts.wants().limit().isPresent();
    return ask(
        "Do the K most recent hits suffice, out of more?",
        limited && facts.hits() < facts.rowsPerValue(),
        "%s, %s rows have a value"
            .formatted(
                limited
                    ? "K = " + facts.wants().limit().getAsLong()
                    : "all are wanted without --limit",
                format("%.1f", facts.rowsPerValue())),
        "LevelDB++, Figure 2");
  }

  private boolean updatesAreKnown() {
    return ask(
        "Is it known that values are hardly ever replaced?",
        facts.updates().isPresent(),
        percent(facts.updates(), "unknown without --updates: compactions drop what they replace"),
        "LevelDB++, Figure 2; DELI: else deferred, which takes stale entries out");
  }

  private boolean ask(String question, boolean answer, String because, String after) {
    path.add(new Decision(question, answer, because, after));
    return answer;
  }

  private static String percent(OptionalDouble share, String otherwise) {
    return share.isPresent() ? format("%.1f %%", 100 * share.getAsDouble()) : otherwise;
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
