package io.deli.client;

import io.deli.strategy.Index;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;

/** A build, to those who do a part of its work. */
public interface BuildTask {
  Index index();

  /** A plain one that shows the tags of cells, as does any that is made by its configuration. */
  Connection connection();

  /**
   * To be called every few seconds, and before what was written takes effect.
   *
   * @throws IOException if the work is of no use any more
   */
  void check() throws IOException;
}
