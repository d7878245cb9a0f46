package io.deli.coprocessor.spi;

import io.deli.service.TokenScan;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.slf4j.LoggerFactory;

/**
 * Indexes that live in the base table's own files and memory, for strategies that {@linkplain
 * io.deli.strategy.IndexStrategy#fileIndexing ask for} them. A region server that finds no provider
 * refuses such indexes; with one it serves every {@link io.deli.strategy.FileIndexing}.
 *
 * <p>Providers are found by {@link ServiceLoader} with the coprocessor's own class loader, and have
 * a public no-argument constructor. One server opens one {@link OfServer} for all its regions, and
 * from it one {@link OfRegion} for each region with indexes:
 *
 * <ol>
 *   <li>{@link OfRegion#attach} when the region's stores are there, before it is read or written.
 *   <li>For each scan by value {@link OfRegion#narrow}, before HBase opens its scanners, {@link
 *       OfRegion#begin} for each store that it opens, and {@link OfRegion#lead} for the scanner.
 *   <li>{@link OfRegion#close} after the region's last operation, though perhaps amid a narrow that
 *       is none, {@link OfServer#close} after the last region of the server.
 * </ol>
 *
 * <p><b>What a provider promises.</b> It only ever leads a scan past rows that cannot match: the
 * coprocessor judges each row that comes, so that an index that is missing, late or wider than need
 * be costs reads, and only one that leaves out a match loses hits. It leaves what HBase stores, and
 * when, as it is, except that it may ask for compactions. It fails no write, flush or compaction:
 * what goes wrong there is logged, and the file goes without index. All is thread-safe.
 */
public interface FileIndexProvider {
  /** Opens the indexes of a region server. */
  OfServer open(Host host);

  /**
   * Resources that the coprocessor lends to the indexes of a region server, until they are closed.
   */
  interface Host {
    /** The settings of the server, whatever its tables override. */
    Configuration configuration();

    /** Runs short work that nobody waits for. Rejects it once the indexes are closed. */
    Executor background();

    /**
     * A counter among the coprocessor's own, of that name in the server's metrics; all servers of a
     * JVM share it. It is removed with the last region.
     */
    Counter counter(String name);
  }

  /** The indexes of a region server. */
  interface OfServer {
    /** Opens those of a region, whose stores need not be there yet. */
    OfRegion open(Region region);

    /** Forgets everything; all regions are closed. */
    void close();
  }

  /** What a scan asks for, and the index that it asks of. */
  record Sought(Index index, TokenScan asked) {}

  /** The indexes of a region. */
  interface OfRegion {
    /**
     * Has the stores keep indexes from now on of what they write and what they have in memory.
     *
     * @param indexes of the table; those that ask for no file index are passed by
     */
    void attach(Collection<Index> indexes);

    /**
     * Looks for the rows that a scan may have a use for.
     *
     * @param anyOf what the scan wants of indexes, of which the caller sees to it that no other row
     *     passes
     * @return a filter that the caller sets for the scan, by itself or in a list; its {@link
     *     Filter#filterAllRemaining} holds from the beginning if there are none. Empty if the scan
     *     has to read everything
     */
    Optional<Filter> narrow(Scan scan, List<Sought> anyOf) throws IOException;

    /**
     * Has a scan begin at its first row, if {@link #narrow} gave it a filter; called for each
     * store, when the scan's read point is fixed.
     */
    void begin(Store store, Scan opened) throws IOException;

    /** The scanner of a scan, led from row to row if {@link #narrow} gave it a filter. */
    RegionScanner lead(Scan scan, RegionScanner scanner) throws IOException;

    /** Forgets what there is of the region. */
    void close();
  }

  /**
   * The provider that was installed with this coprocessor. One that the server's class path has for
   * another coprocessor than this one, which has a loader of its own, is none.
   */
  static Optional<FileIndexProvider> installed() {
    try {
      return ServiceLoader.load(FileIndexProvider.class, FileIndexProvider.class.getClassLoader())
          .findFirst();
    } catch (ServiceConfigurationError | LinkageError e) {
      LoggerFactory.getLogger(FileIndexProvider.class).warn("file indexes cannot be used", e);
      return Optional.empty();
    }
  }
}
