package io.deli.coprocessor.internal.endpoint;

import io.deli.coprocessor.internal.endpoint.RegionScan.Findings;
import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.spi.Contained;
import io.deli.coprocessor.spi.FileIndexProvider;
import io.deli.coprocessor.spi.FileIndexProvider.Sought;
import io.deli.index.Column;
import io.deli.service.TokenScan;
import io.deli.strategy.Index;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** The scans by value of a region. Thread-safe. */
public record ValueScans(
    RegionCoprocessorEnvironment env,
    TableIndexes indexes,
    Optional<FileIndexProvider.OfRegion> files) {
  private static final byte[] ANY_ROW = {0};

  /**
   * Leaves out the rows that a scan by value has no use for. What other filters hide, such as those
   * of labels and permissions, which are set by now, is hidden from this one, too.
   *
   * @throws DoNotRetryIOException if it asks for what cannot be told here
   */
  public void select(Scan scan) throws IOException {
    try {
      Findings findings = RegionScan.findings(scan);
      List<Sought> anyOf = new ArrayList<>();
      for (TokenScan asked : findings.asked()) {
        Index index = indexes.asked(asked);
        requireReader(index, findings.readable());
        anyOf.add(new Sought(index, asked));
      }
      if (!anyOf.isEmpty()) {
        select(scan, anyOf);
      }
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage(), e);
    }
  }

  private void select(Scan scan, List<Sought> anyOf) throws IOException {
    Optional<Filter> narrow = narrow(scan, anyOf);
    if (narrow.isPresent() && narrow.get().filterAllRemaining()) {
      scan.setFilter(narrow.get());
      return;
    }
    List<Filter> filters = new ArrayList<>();
    Optional.ofNullable(scan.getFilter()).ifPresent(filters::add);
    narrow.ifPresent(filters::add);
    filters.add(new TokenFilter(anyOf));
    scan.setFilter(new FilterList(filters));
  }

  private Optional<Filter> narrow(Scan scan, List<Sought> anyOf) throws IOException {
    if (files.isEmpty()) {
      return Optional.empty();
    }
    return Contained.call(
        () -> files.get().narrow(scan, anyOf),
        e -> new IOException("could not look for the rows of a scan by value", e));
  }

  /** Has a scan begin at the first row that it may have a use for. */
  public void begin(Store store, Scan opened) throws IOException {
    if (files.isPresent()) {
      files.get().begin(store, opened);
    }
  }

  /** Leads a scan past rows that the indexes of files leave out. */
  public RegionScanner skip(Scan scan, RegionScanner scanner) throws IOException {
    return files.isPresent() ? files.get().lead(scan, scanner) : scanner;
  }

  /**
   * Has HBase's observers refuse a user who may not read an index's columns. What a region looks up
   * for a client takes time that depends on what they hold, whatever the client gets to see.
   *
   * <p>Where cells may grant what the column does not, HBase refuses nobody, but filters. Whom it
   * filters for is refused here.
   */
  public void requireReader(Index index) throws IOException {
    for (Column column : index.key().all()) {
      if (hide(column).isPresent()) {
        throw new AccessDeniedException(
            "only who may read all of column %s may have entries of index '%s' examined"
                .formatted(column, index.name()));
      }
    }
  }

  private void requireReader(Index index, Set<Column> readable) throws IOException {
    for (Column column : index.key().all()) {
      if (!readable.contains(column)) {
        hide(column);
        readable.add(column);
      }
    }
  }

  /** Returns what hides cells of a column from the user; permissions are the same in all rows. */
  private Optional<Filter> hide(Column column) throws IOException {
    Get any = new Get(ANY_ROW).addColumn(column.family(), column.qualifier());
    ((HRegion) env.getRegion()).getCoprocessorHost().preExists(any);
    return Optional.ofNullable(any.getFilter());
  }
}
