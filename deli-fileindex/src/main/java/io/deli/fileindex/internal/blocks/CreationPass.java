package io.deli.fileindex.internal.blocks;

import io.deli.coprocessor.spi.Contained;
import io.deli.fileindex.internal.hbase.MetaBlocks;
import java.io.IOException;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has files indexed on a region server that were written without, and that no compaction would
 * rewrite soon. Thread-safe.
 *
 * <p>NEXT, section 5, creates the indexes of files that are there already from the largest level
 * downwards, while compactions see to the smaller files. HBase adds nothing to a file that is
 * written, so here it is a compaction, too, that indexes a large one, with the others of its store:
 * when regions have opened, that of the store with the largest such file is asked for first, and
 * the next when it is done.
 */
final class CreationPass {
  private static final Logger LOG = LoggerFactory.getLogger(CreationPass.class);

  /** Long enough for other regions to open, which may have larger files. */
  private static final long PAUSE_SECONDS = 2;

  private final Executor later;
  private final Queue<Due> opened = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();

  // Of the step that is scheduled, which is one at a time.
  private final PriorityQueue<Waiting> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Waiting::bytes).reversed());
  private Optional<RequestedCompaction> underWay = Optional.empty();

  /**
   * A store that may have such files.
   *
   * @param schemes by the names of the blocks that files with an index have
   * @param most bytes of memory that an index may take while a file is written
   */
  private record Due(Region region, HStore store, Map<String, Scheme> schemes, long most) {
    /** Bytes of its largest file that should have an index; 0 if there is none. */
    long bytes() {
      return store.getStorefiles().stream()
          // Halves of a file are rewritten soon, and not before they can be.
          .filter(file -> !file.isReference() && lacksIndex(file))
          .mapToLong(Due::bytes)
          .max()
          .orElse(0);
    }

    private static long bytes(HStoreFile file) {
      return Optional.ofNullable(file.getReader()).map(StoreFileReader::length).orElse(0L);
    }

    /** Not if a compaction would write it without once more. */
    private boolean lacksIndex(HStoreFile file) {
      long bytes = bytes(file);
      return schemes.entrySet().stream()
          .filter(scheme -> bytes >= scheme.getValue().compactedFrom(store))
          .filter(scheme -> !IndexingWriters.givesUp(file, scheme.getKey(), most))
          .anyMatch(scheme -> !hasIndex(file, scheme.getKey(), scheme.getValue()));
    }

    /** Not if it has one that is not understood any more. */
    private static boolean hasIndex(HStoreFile file, String name, Scheme scheme) {
      try {
        Optional<byte[]> bytes = MetaBlocks.find(file.getReader(), name);
        if (bytes.isPresent()) {
          scheme.decode(name, bytes.get());
        }
        return bytes.isPresent();
      } catch (IOException | RuntimeException e) {
        LOG.debug("{}: '{}' cannot be read", file, name, e);
        return false;
      }
    }
  }

  private record Waiting(Due due, long bytes) {}

  /**
   * A compaction that was asked for. It has ended when HBase says so, for others may be under way
   * in the region as long as writes come; or when none is, for HBase drops some without a word.
   */
  private static final class RequestedCompaction implements CompactionLifeCycleTracker {
    private final Region region;
    private volatile boolean ended;

    RequestedCompaction(Region region) {
      this.region = region;
    }

    /** Called if it was refused, too. */
    @Override
    public void completed() {
      ended = true;
    }

    boolean isUnderWay() {
      return !ended && !region.isClosing() && region.getCompactionState() != CompactionState.NONE;
    }
  }

  /**
   * @param later has a step wait before it carries it out
   */
  CreationPass(Executor later) {
    this.later = later;
  }

  /** Creates a pass whose steps are some time apart. */
  static CreationPass pausing(Executor background) {
    return new CreationPass(
        CompletableFuture.delayedExecutor(PAUSE_SECONDS, TimeUnit.SECONDS, background));
  }

  /**
   * Sees to such files of a region that opens; returns at once.
   *
   * @param schemes by the names of the blocks that files with an index have
   * @param most bytes of memory that an index may take while a file is written
   */
  void opened(Region region, HStore store, Map<String, Scheme> schemes, long most) {
    if (region.getTableDescriptor().isCompactionEnabled()) {
      opened.add(new Due(region, store, schemes, most));
      goOnLater();
    }
  }

  private void goOnLater() {
    if (!scheduled.getAndSet(true)) {
      // Never, if the server has no region with indexes by then.
      later.execute(this::goOn);
    }
  }

  private void goOn() {
    try {
      Contained.quietly(this::step, e -> LOG.warn("files may stay without indexes for now", e));
    } finally {
      // After an error, too, that ends this thread: the server may go on.
      boolean more = underWay.isPresent() || !waiting.isEmpty();
      scheduled.set(false);
      if (more || !opened.isEmpty()) {
        goOnLater();
      }
    }
  }

  private void step() throws IOException {
    for (Due each = opened.poll(); each != null; each = opened.poll()) {
      long bytes = each.bytes();
      if (bytes > 0) {
        waiting.add(new Waiting(each, bytes));
      }
    }
    // Not kept on the heap until it is their turn.
    waiting.removeIf(each -> each.due().region().isClosing());
    if (underWay.filter(RequestedCompaction::isUnderWay).isEmpty()) {
      underWay = Optional.empty();
      Optional<Due> next = next();
      if (next.isPresent()) {
        underWay = Optional.of(request(next.get()));
      }
    }
  }

  private Optional<Due> next() {
    while (!waiting.isEmpty()) {
      Due next = waiting.remove().due();
      // It may have been compacted without being asked meanwhile.
      if (next.bytes() > 0) {
        return Optional.of(next);
      }
    }
    return Optional.empty();
  }

  private static RequestedCompaction request(Due next) throws IOException {
    LOG.info(
        "region {}, family {}: a file of {} bytes lacks an index; asking for a compaction of all",
        next.region().getRegionInfo().getRegionNameAsString(),
        next.store().getColumnFamilyName(),
        next.bytes());
    RequestedCompaction asked = new RequestedCompaction(next.region());
    next.region()
        .requestCompaction(
            next.store().getColumnFamilyDescriptor().getName(),
            "files without indexes",
            Store.NO_PRIORITY,
            true,
            asked);
    return asked;
  }
}
