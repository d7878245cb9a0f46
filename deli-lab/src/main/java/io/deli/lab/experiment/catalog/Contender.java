package io.deli.lab.experiment.catalog;

import java.io.Closeable;
import java.io.IOException;

/** One arm of a comparison, whatever it keeps its rows in. Not thread-safe but for its clients. */
interface Contender {
  String arm();

  /**
   * Brings the rows into the state in which every measurement begins; the first time by writing
   * them.
   */
  void restore() throws IOException;

  /** For one thread. */
  Client open() throws IOException;

  void drop() throws IOException;

  /** Works with rows and values by their number. */
  interface Client extends Closeable {
    /** Reads the rows of a value; where there is no index, a row. */
    void read(int row, int value) throws IOException;

    void update(int row, int value) throws IOException;
  }
}
