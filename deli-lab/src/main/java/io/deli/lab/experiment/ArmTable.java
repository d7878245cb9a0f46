package io.deli.lab.experiment;

import io.deli.lab.experiment.OwnHBase.Premises;
import java.io.IOException;
import java.util.Properties;
import site.ycsb.DB;

/** The table in which an arm keeps its rows. */
interface ArmTable {
  /** Creates it anew, empty. */
  void create() throws IOException;

  /** A YCSB binding of one thread, not yet initialised. */
  DB binding() throws IOException;

  /** Adds to a workload's properties what the binding needs to find the table. */
  void describe(Properties properties);

  /** The server that has it, as far as it is known. */
  Premises premises();

  Outcome size() throws IOException;

  /** Has all that was written in files. */
  default void flush() throws IOException {}

  /** Brings rows and index into one file a region, without garbage. */
  default void settle() throws IOException {}

  /** Notes what is in files, for {@link #restore}. */
  default void remember() throws IOException {}

  /** Brings back what was there at {@link #remember}, and nothing else. */
  default void restore() throws IOException {}

  /** Drops it, if it is there, and what was noted. */
  void drop() throws IOException;
}
