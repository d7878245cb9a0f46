package io.deli.coprocessor.internal.servermaintained;

import io.deli.service.LoadMark;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  /** The marks of files that it has loaded, or is loading, by name. */
  private final Map<String, LoadMark> taken = new HashMap<>();

  MarkedFiles(TableDescriptor table, Admission admission) {
    this.table = table;
    this.admission = admission;
  }

  /** The marks of those among files that have one, by name. */
  static Map<String, LoadMark> among(List<Pair<byte[], String>> files) {
    Map<String, LoadMark> marked = new HashMap<>();
    for (Pair<byte[], String> file : files) {
      LoadMark.of(file.getSecond()).ifPresent(mark -> marked.put(file.getSecond(), mark));
    }
    return marked;
  }

  /**
   * Refuses files that must not be loaded.
   *
   * @throws IOException if one is among them
   */
  void require(Map<String, LoadMark> marked) throws IOException {
    for (LoadMark mark : Set.copyOf(marked.values())) {
      mark.requireCurrent(table, EnvironmentEdgeManager.currentTime());
      admission.loading(mark.timestamp());
    }
  }

  /** Notes that files are being loaded; throws, and notes none, if one was noted before. */
  synchronized void take(Map<String, LoadMark> marked) throws DoNotRetryIOException {
    long now = EnvironmentEdgeManager.currentTime();
    taken.values().removeIf(mark -> mark.isOver(now));
    for (String file : marked.keySet()) {
      if (taken.containsKey(file)) {
        throw new DoNotRetryIOException(
            "file %s is not loaded twice: the region has it, but the request was repeated, as when the answer was late or another region was away. Load the rows again."
                .formatted(file));
      }
    }
    taken.putAll(marked);
  }

  /** Notes that files were not loaded, and may be. */
  synchronized void leave(List<Pair<byte[], String>> files) {
    files.forEach(file -> taken.remove(file.getSecond()));
  }
}
