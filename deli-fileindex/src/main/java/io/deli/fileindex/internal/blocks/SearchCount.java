package io.deli.fileindex.internal.blocks;

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
    ofServer.blockRead();
  }

  void blocksSkipped(int blocks) {
    skipped += blocks;
    ofServer.blocksSkipped(blocks);
  }

  void memoryRead(int entries) {
    ofServer.memoryRead(entries);
  }

  void memorySearchedWhole() {
    ofServer.memorySearchedWhole();
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
