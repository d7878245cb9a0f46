package io.deli.fileindex.internal.blocks;

import io.deli.fileindex.internal.blocks.SearchMetrics.Count;
import io.deli.service.SearchedBlocks;
import org.apache.hadoop.hbase.regionserver.ScannerContext;

/** Counts the blocks that one scan searches, for its client and for the server. */
final class SearchCount {
  private final SearchMetrics ofServer;
  private long read;
  private long skipped;

  SearchCount(SearchMetrics ofServer) {
    this.ofServer = ofServer;
  }

  void blockRead() {
    read++;
    ofServer.add(Count.BLOCKS_READ, 1);
  }

  void blocksSkipped(int blocks) {
    skipped += blocks;
    ofServer.add(Count.BLOCKS_SKIPPED, blocks);
  }

  /** Counts what the client is not told. */
  void add(Count what, long amount) {
    ofServer.add(what, amount);
  }

  /** Tells the client, if it wants to know, what was not told yet. */
  void tell(ScannerContext context) {
    if (context.isTrackingMetrics() && read + skipped > 0) {
      new SearchedBlocks(read, skipped).addTo(context.getMetrics());
      read = 0;
      skipped = 0;
    }
  }
}
