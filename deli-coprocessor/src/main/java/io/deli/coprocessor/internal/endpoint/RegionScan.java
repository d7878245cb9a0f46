package io.deli.coprocessor.internal.endpoint;

import io.deli.index.Column;
import io.deli.service.TokenScan;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.Scan;

/**
 * One region's copy of a scan that a request makes of several regions, with what was found out for
 * all of them. What a hook makes of the request by value in it does not count.
 */
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
   * @param alike whose findings, if it has any, and whose filter become this one's
   * @throws IllegalArgumentException if what is asked with the scan cannot be read
   */
  RegionScan(Scan alike) throws IOException {
    super(alike);
    findings = findings(alike);
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
