package io.deli.tools.experiment.catalog;

import java.io.Closeable;
import java.io.IOException;

/** Who does the same reads and updates as others: a table of HBase, or of a relational database. */
interface Contender {
  String arm();

  /** Creates the table anew and writes all rows. */
  void fill() throws IOException;

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
