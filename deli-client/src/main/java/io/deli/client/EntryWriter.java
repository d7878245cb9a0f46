package io.deli.client;

import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Put;

/**
 * Writes the entries of a build other than by Puts ({@link BuildOptions#withWriter}). Each thread
 * collects a run of entries and writes it when it is full; only then do the rows read for it count
 * as done.
 */
public interface EntryWriter {
  /**
   * Called before anything is changed.
   *
   * @throws InvalidIndexException if it cannot write entries of such an index
   */
  void requireFit(IndexDefinition definition);

  /**
   * Opens the writer, once for each build and each time that a build is resumed.
   *
   * @param threads that may keep runs
   */
  Runs open(BuildTask task, int threads) throws IOException;

  /** The runs of one build. Thread-safe; closed when all its threads have ended. */
  interface Runs extends AutoCloseable {
    /** Returns an empty run for the calling thread. */
    Run begin();

    @Override
    void close() throws IOException;
  }

  /** Entries of one thread. Not thread-safe. */
  interface Run {
    /** Adds the entries of one or more versions. */
    void add(List<Put> entries);

    /** Whether the run should be written now. */
    boolean isFull();

    /**
     * Writes what was added since it was last called; readers of the index table see that when it
     * returns. After a failure the build ends, and the same entries may be written by another.
     *
     * @return how many entries were written
     */
    int write() throws IOException;
  }
}
