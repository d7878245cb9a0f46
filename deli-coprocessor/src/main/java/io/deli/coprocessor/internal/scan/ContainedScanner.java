package io.deli.coprocessor.internal.scan;

import io.deli.coprocessor.spi.Contained;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;

/**
 * A compaction's scanner that fails with an {@link IOException} only, so that the compaction ends
 * and leaves the files as they are. Anything else would end its thread instead, and HBase would
 * count it among those under way for ever.
 */
public final class ContainedScanner extends ForwardingScanner {
  public ContainedScanner(InternalScanner scanner) {
    super(scanner);
  }

  private static IOException failure(Throwable e) {
    return new IOException("what is compacted cannot be read: " + e, e);
  }

  @Override
  public boolean next(List<Cell> out, ScannerContext context) throws IOException {
    return Contained.call(() -> scanner.next(out, context), ContainedScanner::failure);
  }

  @Override
  public void shipped() throws IOException {
    Contained.run(super::shipped, ContainedScanner::failure);
  }

  @Override
  public void close() throws IOException {
    Contained.run(super::close, ContainedScanner::failure);
  }
}
