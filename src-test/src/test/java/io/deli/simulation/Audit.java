package io.deli.simulation;

import io.deli.entry.WriteId;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Index;
import io.deli.strategy.Retraction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** Compares a base table with its indexes, by what the regions hold. */
record Audit(ModelCluster cluster, List<Index> indexes) {
  /** Versions that have to have an entry, and have none. */
  List<String> missing() {
    List<String> missing = new ArrayList<>();
    for (Index index : indexes) {
      Set<Place> there = places(living(index));
      for (Cell version : required(index)) {
        for (Cell entry : entries(index, version)) {
          if (!there.contains(Place.of(entry))) {
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
      Set<Place> justified = new HashSet<>();
      versions(index).forEach(version -> justified.addAll(places(entries(index, version))));
      for (Cell entry : living(index)) {
        if (!justified.contains(Place.of(entry))) {
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
      Set<ExactPlace> gone = exactly(index, from);
      gone.removeAll(exactly(index, to));
      for (Cell entry : gone.isEmpty() ? List.<Cell>of() : living(index)) {
        if (gone.contains(ExactPlace.of(entry))) {
          left.add("dropped, but not its entry: %s".formatted(Wording.of(entry)));
        }
      }
    }
    return left;
  }

  private static Set<ExactPlace> exactly(Index index, List<Cell> cells) {
    Set<ExactPlace> places = new HashSet<>();
    for (Cell version : versions(index, cells)) {
      entries(index, version).forEach(entry -> places.add(ExactPlace.of(entry)));
    }
    return places;
  }

  private List<Cell> living(Index index) {
    return cluster.region(index.table()).map(region -> region.store().living()).orElse(List.of());
  }

  /** Those that a query of as many versions as are kept may show. */
  private List<Cell> versions(Index index) {
    return versions(index, base(index));
  }

  private List<Cell> base(Index index) {
    return cluster.region(index.baseTable()).orElseThrow().store().living();
  }

  private static List<Cell> versions(Index index, List<Cell> cells) {
    return rows(cells).stream().flatMap(row -> index.key().versions(row).stream()).toList();
  }

  private static List<List<Cell>> rows(List<Cell> cells) {
    List<List<Cell>> rows = new ArrayList<>();
    for (int from = 0, to; from < cells.size(); from = to) {
      to = from + 1;
      while (to < cells.size() && CellUtil.matchingRows(cells.get(from), cells.get(to))) {
        to++;
      }
      rows.add(cells.subList(from, to));
    }
    return rows;
  }

  /** Returns the versions that a query may show: of an index for the newest, one of each row. */
  private List<Cell> required(Index index) {
    List<Cell> required = new ArrayList<>();
    for (List<Cell> cells : rows(base(index))) {
      Result row = Result.create(cells);
      if (index.versions() > 1) {
        required.addAll(index.included(row));
      } else if (index.includes(row)) {
        index.key().newest(row).ifPresent(required::add);
      }
    }
    return required;
  }

  /** The rows that have a value by their newest versions, and belong to the index. */
  Set<String> valued(Index index) {
    Set<String> rows = new TreeSet<>();
    for (List<Cell> cells : rows(base(index))) {
      Result row = Result.create(cells);
      if (index.includes(row) && index.key().newest(row).isPresent()) {
        rows.add(Bytes.toString(row.getRow()));
      }
    }
    return rows;
  }

  private static List<Cell> entries(Index index, Cell version) {
    return index.retractions(BaseVersion.of(version, WriteId.of(version))).toList();
  }

  private static Set<Place> places(List<Cell> entries) {
    Set<Place> places = new HashSet<>();
    entries.forEach(entry -> places.add(Place.of(entry)));
    return places;
  }

  /** Without the id of the write, of which a version may have had several. */
  private record Place(Bytes row, long timestamp) {
    static Place of(Cell entry) {
      return new Place(new Bytes(CellUtil.cloneRow(entry)), entry.getTimestamp());
    }
  }

  /** With the id of the write. */
  private record ExactPlace(Place place, Bytes writeId) {
    static ExactPlace of(Cell entry) {
      return new ExactPlace(Place.of(entry), new Bytes(CellUtil.cloneQualifier(entry)));
    }
  }
}
