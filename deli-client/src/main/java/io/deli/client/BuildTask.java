package io.deli.client;

import io.deli.strategy.Index;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;

/** A running build, as its engines and entry writers see it. */
public interface BuildTask {
  Index index();

  /**
   * Returns a plain connection that shows the tags of cells; so does any connection made from its
   * configuration.
   */
  Connection connection();

  /**
   * Checks that the build may go on. Call it every few seconds, and before what was written takes
   * effect.
   *
   * @throws IOException if the work is of no use any more
   */
  void check() throws IOException;
}
