package io.deli.coprocessor.internal.endpoint;

import io.deli.index.Column;
import io.deli.service.TokenScan;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.Scan;

/** A scan of one region, of several of a table that one thread scans alike. */
final class RegionScan extends Scan {
  private final Findings findings;

  /**
   * Findings about one of the scans that hold for all.
   *
   * @param readable columns of which the user was found to be a reader
   */
  record Findings(List<TokenScan> asked, Set<Column> readable) {
    Findings(List<TokenScan> asked) {
      this(asked, new HashSet<>());
    }
  }

  /**
   * @param alike whose filter, which has a state, becomes this one's
   */
  RegionScan(Scan alike, Findings findings) throws IOException {
    super(alike);
    this.findings = findings;
  }

  /**
   * The findings by now.
   *
   * @throws IllegalArgumentException if what is asked with the scan cannot be read
   */
  static Findings findings(Scan scan) {
    return scan instanceof RegionScan known ? known.findings : new Findings(TokenScan.of(scan));
  }
}
