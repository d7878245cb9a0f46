package io.deli.client.internal.verify;

import io.deli.client.Finding;
import io.deli.client.Finding.Kind;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.Retraction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Scans the index table and looks for the version of every entry whose writer has ended. */
final class IndexPass extends Pass {
  private final Ages ages;
  private final KeyRangeSet ranges;

  IndexPass(Sides sides, KeyRangeSet ranges) {
    super(sides, sides.index().table());
    this.ages = sides.ages();
    this.ranges = ranges;
  }

  /**
   * The ages at which entries are settled and versions expire.
   *
   * @param graceMillis time for which the writer of an entry may be in flight
   * @param lifeSeconds the family's TTL
   */
  record Ages(long graceMillis, int lifeSeconds) {
    private boolean isSettled(Entry entry) {
      return entry.isSettled(System.currentTimeMillis(), graceMillis);
    }

    private boolean isExpired(Entry entry) {
      return lifeSeconds != HConstants.FOREVER
          && entry.timestamp() < System.currentTimeMillis() - 1_000L * lifeSeconds;
    }
  }

  /** The classification of an entry without version. */
  private enum Verdict {
    /** Retracted with its version. */
    DYING(Kind.OBSOLETE),

    /**
     * Left to readers; or its version has expired, and only the region sees whether it is there.
     */
    DEAD(Kind.OBSOLETE),

    DANGLING(Kind.DANGLING),

    MISMATCHED(Kind.MISMATCHED);

    private final Kind kind;

    Verdict(Kind kind) {
      this.kind = kind;
    }

    /** Whether writes in flight may explain the mismatch. */
    private boolean isSuspect() {
      return kind != Kind.OBSOLETE;
    }
  }

  @Override
  Table open() throws IOException {
    return entries.open();
  }

  @Override
  Scan scan(byte[] start) {
    return IndexTableReader.pieces().withStartRow(start);
  }

  @Override
  void take(Result row) {
    countRead(row.size());
    IndexTableReader.Content content = entries.read(row);
    for (int i = 0; i < content.unreadable(); i++) {
      findings.add(new Finding(Kind.MISMATCHED, row.getRow(), Optional.empty()));
    }
    for (Entry entry : content.entries()) {
      if (ranges.contains(entry.key())) {
        findings.comparedEntry();
        add(entry);
      }
    }
  }

  @Override
  List<Entry> suspects(List<Entry> window) throws IOException {
    List<Entry> suspects = new ArrayList<>();
    base.inPortions(
        base.unjustified(window).stream().filter(ages::isSettled).toList(),
        some -> {
          Map<Entry, Verdict> verdicts =
              verdicts(some, isCollected() ? base.all(some) : base.visible(some));
          found(verdicts, verdict -> !verdict.isSuspect(), entry -> true);
          verdicts.forEach(
              (entry, verdict) -> {
                if (verdict.isSuspect()) {
                  suspects.add(entry);
                }
              });
        });
    return suspects;
  }

  @Override
  void judge(List<Entry> all) throws IOException {
    base.inPortions(all, this::judgePortion);
  }

  /** An entry is gone before its version is, so it is looked at last. */
  private void judgePortion(List<Entry> some) throws IOException {
    Map<Entry, Verdict> verdicts = verdicts(some);
    if (verdicts.values().stream().anyMatch(Verdict::isSuspect)) {
      base.requireMaintained();
    }
    found(verdicts, verdict -> true, entries.present(verdicts.keySet())::contains);
  }

  private void found(
      Map<Entry, Verdict> verdicts, Predicate<Verdict> counts, Predicate<Entry> stands)
      throws IOException {
    for (Map.Entry<Entry, Verdict> each : verdicts.entrySet()) {
      Entry entry = each.getKey();
      Verdict verdict = each.getValue();
      if (counts.test(verdict) && stands.test(entry)) {
        findings.add(new Finding(verdict.kind, entries.row(entry), Optional.of(entry)));
        if (repairs && verdict != Verdict.DYING) {
          base.report(entry);
          findings.reported(1);
        }
      }
    }
  }

  /** Classifies the entries that no version justifies, except for young ones. */
  private Map<Entry, Verdict> verdicts(List<Entry> all) throws IOException {
    NavigableMap<byte[], List<Cell>> visible = base.visible(all);
    List<Entry> unjustified =
        all.stream()
            .filter(
                entry ->
                    at(entry, visible).stream().noneMatch(version -> index.isOf(entry, version)))
            .filter(ages::isSettled)
            .toList();
    return isCollected()
        ? verdicts(unjustified, base.all(unjustified))
        : verdicts(unjustified, visible);
  }

  /** Whether entries are retracted with their versions, all of them, so that none may be left. */
  private boolean isCollected() {
    return index.strategy().retraction() == Retraction.AT_REWRITE;
  }

  private static List<Cell> at(Entry entry, NavigableMap<byte[], List<Cell>> rows) {
    return rows.getOrDefault(entry.key(), List.of()).stream()
        .filter(version -> version.getTimestamp() == entry.timestamp())
        .toList();
  }

  private Map<Entry, Verdict> verdicts(
      List<Entry> unjustified, NavigableMap<byte[], List<Cell>> rows) throws IOException {
    Map<Entry, Verdict> verdicts = new LinkedHashMap<>();
    Map<Entry, List<Entry>> instead = new LinkedHashMap<>();
    for (Entry entry : unjustified) {
      List<Cell> versions = at(entry, rows);
      if (versions.stream().anyMatch(version -> index.isOf(entry, version))) {
        verdicts.put(entry, Verdict.DYING);
      } else if (!versions.isEmpty()) {
        // The winner of a partial index may need none; the other pass tells.
        instead.put(
            entry, index.condition().isPresent() ? List.of() : entriesOf(index, versions.get(0)));
      } else if (isCollected()) {
        verdicts.put(entry, ages.isExpired(entry) ? Verdict.DEAD : Verdict.DANGLING);
      } else {
        verdicts.put(entry, Verdict.DEAD);
      }
    }
    Set<Entry> known = entries.known(instead.values().stream().flatMap(List::stream).toList());
    instead.forEach(
        (entry, winners) ->
            verdicts.put(entry, known.containsAll(winners) ? Verdict.DEAD : Verdict.MISMATCHED));
    return verdicts;
  }

  /** The entries that a version should have, without their write ids. */
  static List<Entry> entriesOf(Index index, Cell cell) {
    BaseVersion version = BaseVersion.of(cell, WriteId.NONE);
    return index.storedTokens(version.value()).stream()
        .map(token -> new Entry(token, version.key(), version.timestamp(), WriteId.NONE))
        .toList();
  }
}
