package io.deli.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class ResurrectedVersionsTest {
  private static final Column COLUMN = Column.parse("f:q");
  private static final long NOW = 1_000;
  private static final List<KeyValue.Type> MARKERS =
      List.of(
          KeyValue.Type.Delete,
          KeyValue.Type.Delete,
          KeyValue.Type.Delete,
          KeyValue.Type.Delete,
          KeyValue.Type.DeleteFamilyVersion,
          KeyValue.Type.DeleteColumn,
          KeyValue.Type.DeleteFamily);

  private static Cell cell(long timestamp, KeyValue.Type type, byte[] qualifier) {
    return new KeyValue(Bytes.toBytes("r"), COLUMN.family(), qualifier, timestamp, type);
  }

  private static Cell cell(long timestamp, KeyValue.Type type) {
    boolean ofFamily =
        type == KeyValue.Type.DeleteFamily || type == KeyValue.Type.DeleteFamilyVersion;
    return cell(timestamp, type, ofFamily ? new byte[0] : COLUMN.qualifier());
  }

  private static Cell tagged(Cell cell, byte type, byte[] value) {
    Tag tag = new ArrayBackedTag(type, value);
    return KeyValueUtil.copyToNewKeyValue(PrivateCellUtil.createCell(cell, List.of(tag)));
  }

  /** A row of some versions, of which some pass, and of markers, of which some have labels. */
  private static final class Row {
    final Random random;
    final List<Cell> puts = new ArrayList<>();
    final List<Cell> markers = new ArrayList<>();
    final List<Cell> deletes = new ArrayList<>();
    final VersionRules rules;

    Row(long seed) {
      random = new Random(seed);
      int passing = random.nextInt(3);
      for (long timestamp = 900L + random.nextInt(30); timestamp > 890; timestamp--) {
        if (random.nextInt(5) > 0) {
          Cell put = cell(timestamp, KeyValue.Type.Put);
          boolean passes = random.nextInt(2) < passing;
          puts.add(passes ? tagged(put, TagType.TTL_TAG_TYPE, timeToLive()) : put);
        }
      }
      for (int i = random.nextInt(6); i > 0; i--) {
        markers.add(
            random.nextInt(4) > 0
                ? marker()
                : tagged(marker(), TagType.VISIBILITY_TAG_TYPE, new byte[1]));
      }
      for (int i = random.nextInt(25); i > 0; i--) {
        deletes.add(
            random.nextInt(6) > 0
                ? marker()
                : cell(HConstants.LATEST_TIMESTAMP, KeyValue.Type.Delete));
      }
      long life = random.nextBoolean() ? Long.MAX_VALUE : 70 + random.nextInt(40);
      rules = new VersionRules(1 + random.nextInt(5), random.nextInt(4), life, true);
    }

    private byte[] timeToLive() {
      return Bytes.toBytes(random.nextBoolean() ? 500L : 500L + random.nextInt(40));
    }

    private Cell marker() {
      KeyValue.Type type = MARKERS.get(random.nextInt(MARKERS.size()));
      // Most of those that hide all that is older leave something.
      long least = type.getCode() >= KeyValue.Type.DeleteColumn.getCode() ? 880 : 890;
      long timestamp = least + random.nextInt(least == 880 ? 20 : 40);
      return random.nextInt(8) > 0
          ? cell(timestamp, type)
          : cell(timestamp, KeyValue.Type.Delete, new byte[] {'o'});
    }

    ColumnVersions versions() {
      List<Cell> all = new ArrayList<>(puts);
      all.addAll(markers);
      return ColumnVersions.of(COLUMN, all);
    }
  }

  /** The rule, taken literally. */
  private static List<Cell> resurrected(Row row, List<Cell> deletes, int known) {
    List<Cell> latest = shown(row.puts, row.markers, row.rules, true);
    List<Cell> after =
        new ArrayList<>(row.markers.stream().filter(m -> !ColumnVersions.hasLabel(m)).toList());
    int unstamped = 0;
    for (Cell delete : deletes) {
      if (delete.getTimestamp() != HConstants.LATEST_TIMESTAMP) {
        after.add(delete);
      } else if (unstamped < latest.size()) {
        after.add(latest.get(unstamped++));
      }
    }
    VersionRules rules = row.rules.ofNewest(known);
    List<Cell> before = shown(row.puts, row.markers, rules, true);
    return shown(row.puts, after, rules, false).stream()
        .filter(cell -> !before.contains(cell))
        .toList();
  }

  private static List<Cell> shown(
      List<Cell> puts, List<Cell> markers, VersionRules rules, boolean allLast) {
    List<Cell> shown = new ArrayList<>();
    for (Cell put : puts) {
      long newer =
          shown.stream()
              .filter(each -> allLast || ColumnVersions.end(each) >= ColumnVersions.end(put))
              .count();
      if (markers.stream().noneMatch(marker -> hides(marker, put))
          && rules.show(put.getTimestamp(), (int) newer, NOW)) {
        shown.add(put);
      }
    }
    return shown;
  }

  private static boolean hides(Cell marker, Cell put) {
    return switch (marker.getType()) {
      case DeleteFamily -> put.getTimestamp() <= marker.getTimestamp();
      case DeleteFamilyVersion -> put.getTimestamp() == marker.getTimestamp();
      case DeleteColumn -> put.getTimestamp() <= marker.getTimestamp() && COLUMN.matches(marker);
      default -> put.getTimestamp() == marker.getTimestamp() && COLUMN.matches(marker);
    };
  }

  @Property
  void deletesOneAfterTheOther_resurrectWhatTheRuleSays(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int known) {
    Row row = new Row(seed);
    ResurrectedVersions versions = row.versions().resurrected(row.rules, known, NOW);
    for (int i = 0; i < row.deletes.size(); i++) {
      assertThat(versions.under(row.deletes.subList(i, i + 1)))
          .isEqualTo(resurrected(row, row.deletes.subList(0, i + 1), known));
    }
    assertThat(row.versions().resurrected(row.rules, known, NOW).under(row.deletes))
        .isEqualTo(resurrected(row, row.deletes, known));
  }

  @Property
  void versionsAreToldUntilTheyAreRestoredOrHidden(@ForAll long seed) {
    Row row = new Row(seed);
    ResurrectedVersions versions = row.versions().resurrected(row.rules, 2, NOW);
    List<Cell> restored = new ArrayList<>();
    for (int i = 0; i < row.deletes.size(); i++) {
      List<Cell> told = versions.under(row.deletes.subList(i, i + 1));
      assertThat(told)
          .isEqualTo(
              resurrected(row, row.deletes.subList(0, i + 1), 2).stream()
                  .filter(version -> !restored.contains(version))
                  .toList());
      if (row.random.nextBoolean()) {
        versions.restored();
        restored.addAll(told);
      }
    }
  }

  /** A cell that counts how often it is looked at. */
  private static final class Counted extends KeyValue {
    private final AtomicLong looks;

    Counted(long timestamp, Type type, AtomicLong looks) {
      super(Bytes.toBytes("r"), COLUMN.family(), COLUMN.qualifier(), timestamp, type);
      this.looks = looks;
    }

    @Override
    public long getTimestamp() {
      looks.incrementAndGet();
      return super.getTimestamp();
    }
  }

  /** How often cells are looked at while deletes of the newer half of a row come, by so many. */
  private static long looks(int deletes, int atOnce, boolean newestFirst) {
    AtomicLong looks = new AtomicLong();
    List<Cell> puts = new ArrayList<>();
    List<Cell> markers = new ArrayList<>();
    for (long timestamp = 2L * deletes; timestamp > 0; timestamp--) {
      puts.add(new Counted(timestamp, KeyValue.Type.Put, looks));
      if (timestamp > deletes) {
        int place = newestFirst ? markers.size() : 0;
        markers.add(place, new Counted(timestamp, KeyValue.Type.Delete, looks));
      }
    }
    ResurrectedVersions versions =
        ColumnVersions.of(COLUMN, puts)
            .resurrected(new VersionRules(100, 0, Long.MAX_VALUE, true), 100, NOW);
    for (int i = 0; i < deletes; i += atOnce) {
      assertThat(versions.under(markers.subList(i, i + atOnce))).hasSizeLessThanOrEqualTo(100);
      versions.restored();
    }
    return looks.get();
  }

  @Test
  void aDeleteOfOneVersion_costsNoMoreBehindManyOthers() {
    for (boolean newestFirst : new boolean[] {true, false}) {
      assertThat(looks(16_000, 1, newestFirst)).isLessThan(32 * looks(1_000, 1, newestFirst));
      assertThat(looks(16_000, 16_000, newestFirst))
          .isLessThan(32 * looks(1_000, 1_000, newestFirst));
    }
  }
}
