package io.deli.coprocessor.internal.embedded;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.internal.send.GcMetrics;
import io.deli.coprocessor.internal.send.ServerShare;
import io.deli.coprocessor.internal.send.Shared;
import io.deli.index.Index;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.apache.hbase.thirdparty.com.google.common.cache.Cache;
import org.apache.hbase.thirdparty.com.google.common.cache.CacheBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sketches of the files that a region server has open, in memory within bounds: those that the
 * files were written with, or made of what is read of them. Thread-safe.
 *
 * <p>Files never change, so a sketch is good for as long as its file is. The two halves of a file
 * whose region was split use the whole file's, if it is still there.
 */
public final class Sketches {
  private static final Logger LOG = LoggerFactory.getLogger(Sketches.class);

  // To read as much takes less time than a client waits for an answer.
  private static final long READ_AT_ONCE = 8L << 20;

  private final Cache<Key, Known> known;
  private final Set<Key> underWay = ConcurrentHashMap.newKeySet();
  private final Executor background;
  private final GcMetrics metrics;
  private final long most;

  private record Key(Path file, String kind) {}

  /** Joins; to be followed by one {@link #leave}, before the share is left. */
  public static Sketches join(RegionCoprocessorEnvironment env, ServerShare share) {
    return shared(env).join(() -> new Sketches(env.getConfiguration(), share));
  }

  /** Leaves. */
  public static void leave(RegionCoprocessorEnvironment env) {
    shared(env).leave(sketches -> sketches.known.invalidateAll());
  }

  private static Shared<Sketches> shared(RegionCoprocessorEnvironment env) {
    return new Shared<>(env, Sketches.class, String.valueOf(env.getServerName()));
  }

  /**
   * @param sketch none if the file defies all attempts
   */
  private record Known(Optional<FileSketch> sketch) {
    int weight() {
      return sketch.map(FileSketch::weight).orElse(1);
    }
  }

  private Sketches(Configuration configuration, ServerShare share) {
    background = share.background();
    metrics = share.metrics();
    most = DeliSettings.EMBEDDED_CACHE.get(configuration, LOG::error);
    known =
        CacheBuilder.newBuilder()
            // One part, so that a single sketch may take all there is.
            .concurrencyLevel(1)
            .maximumWeight(most)
            .weigher((Key key, Known value) -> value.weight())
            .build();
  }

  /**
   * The sketch of a file; none if it is not there yet, for a large file is read in the background.
   */
  Optional<FileSketch> of(HStore store, HStoreFile file, Index index) {
    String kind = FileSketch.kind(index.definition());
    Key own = new Key(file.getPath(), kind);
    Key whole = new Key(whole(file), kind);
    for (Key key : List.of(whole, own)) {
      Known found = known.getIfPresent(key);
      if (found != null) {
        return found.sketch();
      }
    }
    StoreFileReader reader = file.getReader();
    if (reader == null) {
      // Compacted away and closed meanwhile.
      return Optional.empty();
    }
    if (load(whole, reader)) {
      return sketch(whole);
    }
    if (reader.length() <= READ_AT_ONCE) {
      build(own, store, file, index);
      return sketch(own);
    }
    if (underWay.add(own)) {
      background.execute(
          () -> {
            try {
              build(own, store, file, index);
            } finally {
              underWay.remove(own);
            }
          });
    }
    return Optional.empty();
  }

  private Optional<FileSketch> sketch(Key key) {
    return Optional.ofNullable(known.getIfPresent(key)).flatMap(Known::sketch);
  }

  /** Takes the sketch that the file was written with; false if there is none to be read. */
  private boolean load(Key key, StoreFileReader file) {
    try {
      Optional<FileSketch> written = SketchBlock.read(file, key.kind());
      written.ifPresent(
          sketch -> {
            keep(key, sketch);
            metrics.sketchLoaded();
          });
      return written.isPresent();
    } catch (IOException | RuntimeException e) {
      LOG.warn("{}: its filters cannot be read and are built again", key.file(), e);
      return false;
    }
  }

  private static Path whole(HStoreFile file) {
    return file.isReference() ? StoreFileInfo.getReferredToFile(file.getPath()) : file.getPath();
  }

  private void build(Key key, HStore store, HStoreFile file, Index index) {
    try {
      keep(key, read(store, file, index));
      metrics.sketchBuilt();
    } catch (IOException e) {
      // Compacted away, perhaps. If not, the next lookup tries again.
      LOG.info("{}: cannot be read for its filters", file, e);
    } catch (RuntimeException e) {
      known.put(key, new Known(Optional.empty()));
      LOG.error("{}: index '{}' cannot filter this file", file, index.name(), e);
    }
  }

  private void keep(Key key, FileSketch sketch) {
    boolean fits = sketch.weight() <= most;
    if (!fits) {
      LOG.warn(
          "{}: {} bytes of filters do not fit into {}; lookups read the file without",
          key.file(),
          sketch.weight(),
          DeliSettings.EMBEDDED_CACHE.key());
    }
    known.put(key, new Known(fits ? Optional.of(sketch) : Optional.empty()));
  }

  /** Reads all of a file. Its blocks are not told apart here, so that they are so but about. */
  private static FileSketch read(HStore store, HStoreFile file, Index index) throws IOException {
    SketchBuilder builder = new SketchBuilder(index, bitsPerToken(store));
    int blockSize = store.getColumnFamilyDescriptor().getBlocksize();
    List<StoreFileScanner> scanners =
        StoreFileScanner.getScannersForCompaction(List.of(file), false, Long.MAX_VALUE);
    try {
      StoreFileScanner cells = scanners.get(0);
      cells.seek(PrivateCellUtil.createFirstOnRow(HConstants.EMPTY_START_ROW));
      long size = 0;
      for (Cell cell = cells.next(); cell != null; cell = cells.next()) {
        if (size >= blockSize) {
          builder.endBlock();
          // Or all blocks of the file would stay in the server's buffers until the end.
          cells.shipped();
          size = 0;
        }
        builder.add(cell);
        size += PrivateCellUtil.estimatedSerializedSizeOf(cell);
      }
      return builder.build();
    } finally {
      scanners.forEach(StoreFileScanner::close);
    }
  }

  static int bitsPerToken(HStore store) {
    return DeliSettings.EMBEDDED_BITS.get(store.getReadOnlyConfiguration(), LOG::error);
  }
}
