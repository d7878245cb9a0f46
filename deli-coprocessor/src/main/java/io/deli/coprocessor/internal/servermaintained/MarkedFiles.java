package io.deli.coprocessor.internal.servermaintained;

import io.deli.service.LoadMark;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
  private final Set<String> taken = new HashSet<>();

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

  /** Notes that files are being loaded; throws, and notes none, if one was noted before. */
  synchronized void take(List<Pair<byte[], String>> files) throws DoNotRetryIOException {
    long now = EnvironmentEdgeManager.currentTime();
    taken.removeIf(file -> LoadMark.of(file).orElseThrow().isOver(now));
    List<String> marked =
        files.stream().map(Pair::getSecond).filter(file -> LoadMark.of(file).isPresent()).toList();
    for (String file : marked) {
      if (taken.contains(file)) {
        throw new DoNotRetryIOException(
            "file %s is not loaded twice: the region has it, but the request was repeated, as when the answer was late or another region was away. Load the rows again."
                .formatted(file));
      }
    }
    taken.addAll(marked);
  }

  /** Notes that files were not loaded, and may be. */
  synchronized void leave(List<Pair<byte[], String>> files) {
    files.forEach(file -> taken.remove(file.getSecond()));
  }
}
