package io.deli.coprocessor.internal.servermaintained;

import io.deli.service.LoadMark;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Files with a {@link LoadMark} that a region loads. Thread-safe.
 *
 * <p>It loads none twice, as HBase's client asks for when an answer was lost: a row that was
 * deleted meanwhile, and compacted, would be back, without the entries that were collected.
 */
final class MarkedFiles {
  private final TableDescriptor table;
  private final Admission admission;

  /** Those that it has loaded, or is loading. */
  private final Set<String> taken = ConcurrentHashMap.newKeySet();

  MarkedFiles(TableDescriptor table, Admission admission) {
    this.table = table;
    this.admission = admission;
  }

  /**
   * Refuses files, by family, that must not be loaded. Files without a mark pass.
   *
   * @throws IOException if one is among them
   */
  void require(List<Pair<byte[], String>> files) throws IOException {
    for (Pair<byte[], String> file : files) {
      Optional<LoadMark> mark = LoadMark.of(file.getSecond());
      if (mark.isPresent()) {
        mark.get().requireCurrent(table, EnvironmentEdgeManager.currentTime());
        admission.loading(mark.get().timestamp());
      }
    }
  }

  /** Notes that files are being loaded; throws if they were noted before. */
  void take(List<Pair<byte[], String>> files) throws DoNotRetryIOException {
    long now = EnvironmentEdgeManager.currentTime();
    taken.removeIf(file -> LoadMark.of(file).orElseThrow().isOver(now));
    for (Pair<byte[], String> file : files) {
      if (LoadMark.of(file.getSecond()).isPresent() && !taken.add(file.getSecond())) {
        throw new DoNotRetryIOException(
            "file %s is not loaded twice: an earlier request for it was answered too late. Load the rows again."
                .formatted(file.getSecond()));
      }
    }
  }

  /** Notes that files were not loaded, and may be. */
  void leave(List<Pair<byte[], String>> files) {
    files.forEach(file -> taken.remove(file.getSecond()));
  }
}
