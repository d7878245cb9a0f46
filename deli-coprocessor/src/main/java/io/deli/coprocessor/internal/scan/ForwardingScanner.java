package io.deli.coprocessor.internal.scan;

import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.Shipper;

/** Reads another scanner; holds none but copies of its cells when what it gave is shipped. */
public abstract class ForwardingScanner implements InternalScanner, Shipper {
  protected final InternalScanner scanner;

  protected ForwardingScanner(InternalScanner scanner) {
    this.scanner = scanner;
  }

  @Override
  public void shipped() throws IOException {
    if (scanner instanceof Shipper shipper) {
      shipper.shipped();
    }
  }

  @Override
  public void close() throws IOException {
    scanner.close();
  }
}
