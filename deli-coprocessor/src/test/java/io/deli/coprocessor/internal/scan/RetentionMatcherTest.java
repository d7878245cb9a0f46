package io.deli.coprocessor.internal.scan;

import static io.deli.coprocessor.internal.scan.Cells.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.coprocessor.internal.endpoint.Supersession;
import io.deli.coprocessor.internal.scan.RetentionMatcher.Verdict;
import io.deli.coprocessor.internal.scan.RetentionRules.Purge;
import io.deli.index.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.StoreScanner;
import org.apache.hadoop.hbase.util.CollectionBackedScanner;
import org.junit.jupiter.api.Test;

/** Against HBase's own scanner of a compaction, and against what the time to come shows. */
class RetentionMatcherTest extends StoppedClock {
  private static final int HISTORIES = 3_000;
  private static final List<KeepDeletedCells> DELETED = List.of(KeepDeletedCells.values());

  static ScanInfo family(int least, int most, long ttl, KeepDeletedCells deleted) {
    return family(least, most, ttl, deleted, false);
  }

  private static ScanInfo family(
      int least, int most, long ttl, KeepDeletedCells deleted, boolean newVersions) {
    return new ScanInfo(
        new Configuration(false),
        Cells.FAMILY,
        least,
        most,
        ttl,
        deleted,
        HConstants.DEFAULT_BLOCKSIZE,
        0,
        CellComparator.getInstance(),
        newVersions);
  }

  static ScanInfo anyFamily(Random random) {
    int most = 1 + random.nextInt(3);
    return family(
        random.nextInt(2) * random.nextInt(most + 1),
        random.nextInt(10) == 0 ? Integer.MAX_VALUE : most,
        random.nextBoolean() ? Long.MAX_VALUE : 10L * random.nextInt(50),
        DELETED.get(random.nextInt(DELETED.size())));
  }

  private static RetentionRules rules(
      ScanInfo family, ScanType type, Predicate<Cell> revivable, long now) {
    return rules(family, Purge.of(type), revivable, cell -> false, now);
  }

  static RetentionRules rules(
      ScanInfo family, Purge purge, Predicate<Cell> revivable, Predicate<Cell> lasting, long now) {
    return new RetentionRules(family, purge, revivable, lasting, Long.MAX_VALUE, 0, now);
  }

  /** What is judged so, of cells that cannot be read any more when HBase has sent some on. */
  static List<Cell> matched(List<Cell> cells, RetentionMatcher matcher, Set<Verdict> verdicts)
      throws Exception {
    Cells source = new Cells(cells);
    List<Cell> found = new ArrayList<>();
    for (Cell cell : cells) {
      if (verdicts.contains(matcher.match(source.next()))) {
        found.add(cell);
      }
      if (cell.getTimestamp() % 3 == 0) {
        matcher.beforeShipped();
        source.shipped();
      }
    }
    return found;
  }

  @Test
  void keepsWhatHBaseKeeps() throws Exception {
    for (int seed = 0; seed < HISTORIES; seed++) {
      Random random = new Random(seed);
      ScanInfo family = anyFamily(random);
      List<Cell> cells = Cells.history(random, "", "p", "q");
      for (ScanType type :
          List.of(ScanType.COMPACT_DROP_DELETES, ScanType.COMPACT_RETAIN_DELETES)) {
        for (Predicate<Cell> revivable : columns(type)) {
          RetentionMatcher matcher = rules(family, type, revivable, NOW).matcher(null);
          assertThat(matched(cells, matcher, Set.of(Verdict.KEPT)))
              .as("seed %d, %s, %s", seed, type, family)
              .usingElementComparator(CellComparator.getInstance())
              .isEqualTo(compacted(cells, family, type));
        }
      }
    }
  }

  /**
   * The columns in which versions may be seen again: none, or any. Of these more is kept where only
   * some files are read, see {@link PartialRewriteTest}.
   */
  private static List<Predicate<Cell>> columns(ScanType type) {
    List<Predicate<Cell>> columns = new ArrayList<>();
    columns.add(null);
    if (type == ScanType.COMPACT_DROP_DELETES) {
      columns.add(cell -> true);
    }
    return columns;
  }

  static List<Cell> compacted(List<Cell> cells, ScanInfo family, ScanType type) throws Exception {
    TreeSet<Cell> sorted = new TreeSet<>(CellComparator.getInstance());
    sorted.addAll(cells);
    List<Cell> kept = new ArrayList<>();
    try (StoreScanner scanner =
        new StoreScanner(family, type, List.of(new CollectionBackedScanner(sorted)))) {
      boolean more;
      do {
        more = scanner.next(kept);
      } while (more);
    }
    return kept;
  }

  /** With MIN_VERSIONS, or several at one timestamp, some are taken for such that are not. */
  @Test
  void hiddenIsWhatIsSeenAgainLater() throws Exception {
    int hidden = 0;
    for (int seed = 0; seed < HISTORIES; seed++) {
      Random random = new Random(seed);
      ScanInfo family = anyFamily(random);
      List<Cell> cells = Cells.history(random, "", "p", "q");
      Predicate<Cell> columns = cell -> cell.getQualifierLength() > 0;
      RetentionMatcher matcher =
          rules(family, ScanType.COMPACT_DROP_DELETES, columns, NOW).matcher(null);
      List<Cell> found = matched(cells, matcher, Set.of(Verdict.HIDDEN));
      List<Cell> later = seenLater(cells, family, columns);
      assertThat(found)
          .as("seed %d, %s", seed, family)
          .usingElementComparator(CellComparator.getInstance())
          .containsAll(later);
      if (family.getMinVersions() == 0 && !hasTwins(cells)) {
        assertThat(later)
            .as("seed %d, %s", seed, family)
            .usingElementComparator(CellComparator.getInstance())
            .containsAll(found);
        hidden += found.size();
      }
    }
    assertThat(hidden).isGreaterThan(HISTORIES / 30);
  }

  private static List<Cell> seenLater(List<Cell> cells, ScanInfo family, Predicate<Cell> columns)
      throws Exception {
    ScanInfo shown =
        family(
            family.getMinVersions(),
            family.getMaxVersions(),
            family.getTtl(),
            KeepDeletedCells.FALSE);
    Set<Cell> seen = new TreeSet<>(CellComparator.getInstance());
    for (long time : times(cells, family.getTtl())) {
      RetentionMatcher then = rules(shown, ScanType.COMPACT_DROP_DELETES, null, time).matcher(null);
      seen.addAll(matched(cells, then, Set.of(Verdict.KEPT)));
    }
    // Not by equals, to which versions of one timestamp are the same.
    RetentionMatcher matcher =
        rules(family, ScanType.COMPACT_DROP_DELETES, null, NOW).matcher(null);
    matched(cells, matcher, Set.of(Verdict.KEPT)).forEach(seen::remove);
    return seen.stream().filter(Coordinates::isPut).filter(columns).toList();
  }

  /** When something expires. */
  private static long[] times(List<Cell> cells, long ttl) {
    return cells.stream()
        .flatMapToLong(
            cell ->
                LongStream.concat(
                        ttl == Long.MAX_VALUE ? LongStream.empty() : LongStream.of(ttl),
                        PrivateCellUtil.getTag(cell, TagType.TTL_TAG_TYPE).stream()
                            .mapToLong(Tag::getValueAsLong))
                    .map(life -> cell.getTimestamp() + life))
        .flatMap(end -> LongStream.of(end, end + 1))
        .filter(time -> time >= NOW)
        .distinct()
        .toArray();
  }

  private static boolean hasTwins(List<Cell> cells) {
    List<Cell> puts = cells.stream().filter(Coordinates::isPut).toList();
    for (int i = 1; i < puts.size(); i++) {
      if (Coordinates.sameVersion(puts.get(i - 1), puts.get(i))) {
        return true;
      }
    }
    return false;
  }

  /** Of several at one timestamp, HBase shows the newest write that has not ended. */
  @Test
  void ofTwins_theSecondIsSeenAgainIfTheFirstEndsBefore() throws Exception {
    ScanInfo family = family(0, 1, Long.MAX_VALUE, KeepDeletedCells.FALSE);
    Cell first = Cells.cell("q", NOW, KeyValue.Type.Put, "v", 3);
    Cell second = Cells.cell("q", NOW, KeyValue.Type.Put, "v", 2);
    Cell older = Cells.cell("q", NOW - 50, KeyValue.Type.Put, "v", 1);
    assertThat(hidden(family, Cells.passing(first, 9), Cells.passing(second, 9))).isEmpty();
    assertThat(hidden(family, Cells.passing(first, 9), second)).containsExactly(second);
    assertThat(hidden(family, first, second, older)).isEmpty();
    ScanInfo all = family(0, Integer.MAX_VALUE, Long.MAX_VALUE, KeepDeletedCells.FALSE);
    assertThat(hidden(all, Cells.passing(first, 9), second, older)).containsExactly(second);
    ScanInfo newVersions = family(0, 1, Long.MAX_VALUE, KeepDeletedCells.FALSE, true);
    assertThat(hidden(newVersions, Cells.passing(first, 9), second)).containsExactly(second);
    ScanInfo two = family(0, 2, Long.MAX_VALUE, KeepDeletedCells.FALSE);
    Cell above = Cells.cell("q", NOW + 1, KeyValue.Type.Put, "v", 5);
    assertThat(
            hidden(two, Cells.passing(above, 3), Cells.passing(first, 9), Cells.passing(second, 9)))
        .isEmpty();
    Cell newest = Cells.passing(Cells.cell("q", NOW + 1, KeyValue.Type.Put, "v", 4), 9);
    Cell ended = Cells.passing(Cells.cell("q", NOW - 50, KeyValue.Type.Put, "v", 2), 9);
    assertThat(hidden(family, newest, ended, older)).containsExactly(older);
  }

  @Test
  void whatEndsWithANewerVersion_isNotSeenAgain() throws Exception {
    ScanInfo one = family(0, 1, Long.MAX_VALUE, KeepDeletedCells.FALSE);
    Cell newer = Cells.cell("q", NOW, KeyValue.Type.Put, "v", 2);
    Cell older = Cells.cell("q", NOW - 5, KeyValue.Type.Put, "v", 1);
    assertThat(hidden(one, Cells.passing(newer, 9), Cells.passing(older, 14))).isEmpty();
    assertThat(hidden(one, Cells.passing(newer, 9), Cells.passing(older, 15))).hasSize(1);
  }

  /** Of the expired ones, only so many of the newest are kept. */
  @Test
  void minVersions_bringBackWhatIsNewestThen() throws Exception {
    ScanInfo family = family(1, 2, 100, KeepDeletedCells.FALSE);
    Cell newer = Cells.cell("q", NOW - 10, KeyValue.Type.Put, "v", 2);
    Cell expired = Cells.cell("q", NOW - 200, KeyValue.Type.Put, "v", 1);
    assertThat(hidden(family, newer, expired)).isEmpty();
    assertThat(hidden(family, Cells.passing(newer, 50), expired)).containsExactly(expired);
    ScanInfo all = family(1, Integer.MAX_VALUE, 100, KeepDeletedCells.FALSE);
    assertThat(hidden(all, newer, expired)).isEmpty();
    assertThat(hidden(all, Cells.passing(newer, 50), expired)).containsExactly(expired);
  }

  private static List<Cell> hidden(ScanInfo family, Cell... cells) throws Exception {
    RetentionMatcher matcher =
        rules(family, ScanType.COMPACT_DROP_DELETES, cell -> true, NOW).matcher(null);
    return matched(List.of(cells), matcher, Set.of(Verdict.HIDDEN));
  }

  @Test
  void withoutATimeToLiveOfTheirOwn_nothingIsHidden() throws Exception {
    List<Cell> cells =
        List.of(
            Cells.cell("q", NOW, KeyValue.Type.Put, "v", 2),
            Cells.cell("q", NOW - 1, KeyValue.Type.Put, "v", 1));
    ScanInfo family = family(0, 1, Long.MAX_VALUE, KeepDeletedCells.FALSE);
    RetentionMatcher matcher =
        rules(family, ScanType.COMPACT_DROP_DELETES, null, NOW).matcher(null);
    assertThat(matched(cells, matcher, Set.of(Verdict.DEAD))).containsExactly(cells.get(1));
  }

  /**
   * As repair relies on: whichever files are compacted, and whatever is written later, but for
   * deletes of single versions, which restore what they expose.
   */
  @Test
  void whatIsSupersededForGood_isNeverTheNewestAgain() throws Exception {
    int superseded = 0;
    for (int seed = 0; seed < HISTORIES; seed++) {
      Random random = new Random(seed);
      List<Cell> cells = Cells.history(random, "", "p", "q");
      ScanInfo family = family(0, 1 + random.nextInt(3), Long.MAX_VALUE, KeepDeletedCells.FALSE);
      List<List<Cell>> files = files(cells);
      Set<Cell> forGood = supersededForGood(files.subList(0, 2));
      superseded += forGood.size();
      for (long now = NOW; files.size() > 1; now += 100) {
        int from = random.nextInt(files.size() - 1);
        int to = from + 2 + random.nextInt(files.size() - from - 1);
        compact(files.subList(from, to), family, to - from == files.size(), now);
        assertThat(newest(files, now))
            .as("seed %d, %s, at %d", seed, family, now)
            .noneMatch(forGood::contains);
      }
    }
    assertThat(superseded).isGreaterThan(HISTORIES);
  }

  /** Three, from the oldest on; the last has no delete of a single version. */
  private static List<List<Cell>> files(List<Cell> cells) {
    List<List<Cell>> files = new ArrayList<>();
    for (int file = 0; file < 3; file++) {
      int place = file;
      files.add(
          cells.stream()
              .filter(cell -> (((KeyValue) cell).getSequenceId() - 1) / 10 == place)
              .filter(
                  cell ->
                      place < 2
                          || (cell.getType() != Cell.Type.Delete
                              && cell.getType() != Cell.Type.DeleteFamilyVersion))
              .toList());
    }
    return files;
  }

  private static Set<Cell> supersededForGood(List<List<Cell>> files) {
    Set<Cell> forGood = new TreeSet<>(CellComparator.getInstance());
    for (Cell version : files.stream().flatMap(List::stream).filter(Coordinates::isPut).toList()) {
      Column column = Column.of(Cells.FAMILY, CellUtil.cloneQualifier(version));
      Supersession found = new Supersession(column, version.getTimestamp());
      for (int file = 0; file < files.size(); file++) {
        for (Cell cell : files.get(file)) {
          if (CellUtil.matchingRows(cell, version)) {
            found.add(cell, OptionalLong.of(file));
          }
        }
      }
      if (found.isForGood()) {
        forGood.add(version);
      }
    }
    return forGood;
  }

  private static void compact(List<List<Cell>> files, ScanInfo family, boolean all, long now)
      throws Exception {
    List<Cell> cells = Cells.sorted(files.stream().flatMap(List::stream).toList());
    ScanType type = all ? ScanType.COMPACT_DROP_DELETES : ScanType.COMPACT_RETAIN_DELETES;
    RetentionMatcher matcher =
        rules(family, Purge.of(type), cell -> true, cell -> true, now).matcher(null);
    List<Cell> kept = matched(cells, matcher, Set.of(Verdict.KEPT));
    files.clear();
    files.add(kept);
  }

  /** Returns the versions that are the newest of their column at some moment from now on. */
  private static List<Cell> newest(List<List<Cell>> files, long now) throws Exception {
    ScanInfo one = family(0, 1, Long.MAX_VALUE, KeepDeletedCells.FALSE);
    List<Cell> cells = Cells.sorted(files.stream().flatMap(List::stream).toList());
    List<Cell> newest = new ArrayList<>();
    for (long time : times(cells, Long.MAX_VALUE)) {
      RetentionMatcher matcher =
          rules(one, ScanType.COMPACT_DROP_DELETES, null, Math.max(time, now)).matcher(null);
      newest.addAll(matched(cells, matcher, Set.of(Verdict.KEPT)));
    }
    return newest;
  }
}
