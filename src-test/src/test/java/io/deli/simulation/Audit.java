package io.deli.simulation;

import io.deli.entry.WriteId;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.Retraction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Compares a base table with its indexes, by what the regions hold. */
final class Audit {
  private final ModelCluster cluster;
  private final List<Index> indexes;

  Audit(ModelCluster cluster, TableDescriptor base) {
    this.cluster = cluster;
    this.indexes = Index.allOf(base);
  }

  /** Versions that have to have an entry, and have none. */
  List<String> missing() {
    List<String> missing = new ArrayList<>();
    for (Index index : indexes) {
      Set<String> there = places(living(index));
      for (Cell version : required(index)) {
        for (Cell entry : entries(index, version)) {
          if (!there.contains(place(entry))) {
            missing.add(
                "%s: no entry of %s in index %s"
                    .formatted("index before base", Wording.of(version), index.name()));
          }
        }
      }
    }
    return missing;
  }

  /** Entries that no version justifies that reads may show. */
  List<String> garbage() {
    List<String> garbage = new ArrayList<>();
    for (Index index : indexes) {
      Set<String> justified = new TreeSet<>();
      versions(index).forEach(version -> justified.addAll(places(entries(index, version))));
      for (Cell entry : living(index)) {
        if (!justified.contains(place(entry))) {
          garbage.add("garbage: %s in index %s".formatted(Wording.of(entry), index.name()));
        }
      }
    }
    return garbage;
  }

  /** Versions that a rewrite dropped ahead of their entries. */
  List<String> leftBehind(List<Cell> from, List<Cell> to) {
    List<String> left = new ArrayList<>();
    for (Index index : from.size() == to.size() ? List.<Index>of() : indexes) {
      if (index.strategy().retraction() != Retraction.AT_REWRITE) {
        continue;
      }
      Set<String> gone = exactly(index, from);
      gone.removeAll(exactly(index, to));
      for (Cell entry : gone.isEmpty() ? List.<Cell>of() : living(index)) {
        if (gone.contains(exactly(entry))) {
          left.add("dropped, but not its entry: %s".formatted(Wording.of(entry)));
        }
      }
    }
    return left;
  }

  private static Set<String> exactly(Index index, List<Cell> cells) {
    Set<String> places = new TreeSet<>();
    for (Cell cell : cells) {
      if (cell.getType() == Cell.Type.Put && index.column().matches(cell)) {
        entries(index, cell).forEach(entry -> places.add(exactly(entry)));
      }
    }
    return places;
  }

  /** With the id of the write. */
  private static String exactly(Cell entry) {
    return place(entry) + "/" + Bytes.toStringBinary(CellUtil.cloneQualifier(entry));
  }

  private List<Cell> living(Index index) {
    return cluster.region(index.table()).map(region -> region.store().living()).orElse(List.of());
  }

  /** Those that a query of as many versions as are kept may show. */
  private List<Cell> versions(Index index) {
    return cluster.region(index.baseTable()).orElseThrow().store().living().stream()
        .filter(index.column()::matches)
        .toList();
  }

  /** Returns the versions that a query may show: of an index for the newest, one of each row. */
  private List<Cell> required(Index index) {
    List<Cell> all = versions(index);
    if (index.versions() > 1) {
      return all;
    }
    List<Cell> newest = new ArrayList<>();
    for (Cell cell : all) {
      if (newest.isEmpty() || !CellUtil.matchingRows(newest.get(newest.size() - 1), cell)) {
        newest.add(cell);
      }
    }
    return newest;
  }

  private static List<Cell> entries(Index index, Cell version) {
    return index
        .retractions(BaseVersion.of(version, WriteId.of(version)))
        .flatMap(delete -> delete.getFamilyCellMap().values().stream())
        .flatMap(List::stream)
        .toList();
  }

  private static Set<String> places(List<Cell> entries) {
    Set<String> places = new TreeSet<>();
    entries.forEach(entry -> places.add(place(entry)));
    return places;
  }

  /** Without the id of the write, of which a version may have had several. */
  private static String place(Cell entry) {
    return Bytes.toStringBinary(CellUtil.cloneRow(entry)) + "/" + entry.getTimestamp();
  }
}
