package io.deli.coprocessor.internal.servermaintained;

import io.deli.index.Column;
import io.deli.strategy.ResurrectedVersions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * A row of which deletes in one batch expose versions. It is read once for all of them; since it
 * may change meanwhile, {@link Restoration#admit} looks at it once more. Used by one thread.
 */
final class ExposedRow {
  private final byte[] key;
  private final List<Cell> markers = new ArrayList<>(1);
  private final Map<Column, Exposed> columns = new HashMap<>();

  /** A column, as it was read, and its versions that have been restored. */
  private static final class Exposed {
    final Set<Long> restored = new HashSet<>();
    List<ResurrectedVersions> versions = List.of();
    Collection<Cell> told = List.of();

    /** How many markers of the row the versions are under. */
    int applied;
  }

  ExposedRow(byte[] key) {
    this.key = key;
  }

  /** Adds the markers of one more delete. */
  void add(Delete delete) {
    delete.getFamilyCellMap().values().forEach(markers::addAll);
  }

  /** Returns the versions that the deletes expose and that are not {@link #restored}. */
  Collection<Cell> exposed(ForgetfulColumn column, Region region) throws IOException {
    Exposed its = columns.computeIfAbsent(column.column(), each -> new Exposed());
    if (its.versions.isEmpty()) {
      its.versions = column.resurrected(column.read(region, key));
      its.applied = 0;
    }
    its.told =
        ForgetfulColumn.under(
            its.versions, column.of(markers.subList(its.applied, markers.size())));
    its.told.removeIf(version -> its.restored.contains(version.getTimestamp()));
    its.applied = markers.size();
    return its.told;
  }

  /** Records that the versions of a column that were returned last have entries of their own. */
  void restored(ForgetfulColumn column) {
    Exposed its = columns.get(column.column());
    its.versions.forEach(ResurrectedVersions::restored);
    its.told.forEach(version -> its.restored.add(version.getTimestamp()));
  }

  /** Forgets what was read, which is read again when it is needed. */
  void forget() {
    for (Exposed each : columns.values()) {
      each.versions = List.of();
      each.told = List.of();
    }
  }
}
