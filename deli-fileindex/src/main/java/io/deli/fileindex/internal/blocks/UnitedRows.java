package io.deli.fileindex.internal.blocks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;

/** The rows that one of several looks for: one for each side of a condition. */
final class UnitedRows implements CandidateRows {
  private final List<CandidateRows> all;
  private final boolean ofOneStore;
  private List<CandidateRows> begun;

  UnitedRows(List<CandidateRows> all, boolean ofOneStore) {
    this.all = List.copyOf(all);
    this.ofOneStore = ofOneStore;
    this.begun = this.all;
  }

  @Override
  public Optional<byte[]> begin(byte[] row) throws IOException {
    if (!ofOneStore) {
      // HBase holds a lock of one; another's may wait for somebody who waits for this one.
      return Optional.of(row);
    }
    List<CandidateRows> some = new ArrayList<>();
    Optional<byte[]> first = Optional.empty();
    for (CandidateRows each : all) {
      Optional<byte[]> own = each.begin(row);
      if (own.isPresent()) {
        some.add(each);
        first = first(first, own);
      }
    }
    begun = some;
    return first;
  }

  @Override
  public Optional<byte[]> last() {
    List<byte[]> last = begun.stream().flatMap(each -> each.last().stream()).toList();
    return !ofOneStore || last.size() < begun.size()
        ? Optional.empty()
        : last.stream().max(Bytes.BYTES_COMPARATOR);
  }

  @Override
  public boolean areFarApart() {
    return begun.stream().allMatch(CandidateRows::areFarApart);
  }

  @Override
  public void opened(long readPoint) throws IOException {
    for (CandidateRows each : all) {
      each.opened(readPoint);
    }
  }

  @Override
  public Optional<byte[]> atOrBehind(byte[] row) throws IOException {
    Optional<byte[]> first = Optional.empty();
    for (CandidateRows each : all) {
      first = first(first, each.atOrBehind(row));
      if (first.isPresent() && Bytes.equals(first.get(), row)) {
        return first;
      }
    }
    return first;
  }

  private static Optional<byte[]> first(Optional<byte[]> one, Optional<byte[]> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.or(() -> other);
    }
    return Bytes.compareTo(one.get(), other.get()) <= 0 ? one : other;
  }
}
