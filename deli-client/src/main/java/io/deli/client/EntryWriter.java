package io.deli.client;

import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Put;

/**
 * How the threads of a build leave entries in the index, if not by putting them ({@link
 * BuildOptions#withWriter}). Each keeps a run of them, and writes it when it is full; then, and not
 * before, what was read for it counts as done.
 */
public interface EntryWriter {
  /**
   * Called before anything is changed.
   *
   * @throws InvalidIndexException if it cannot write entries of such an index
   */
  void requireFit(IndexDefinition definition);

  /**
   * Called once a build, or when one goes on.
   *
   * @param threads that may keep runs
   */
  Runs open(BuildTask task, int threads) throws IOException;

  /** The runs of one build. Thread-safe; closed when all its threads have ended. */
  interface Runs extends AutoCloseable {
    /** One for the thread that calls, empty. */
    Run begin();

    @Override
    void close() throws IOException;
  }

  /** Entries of one thread. Not thread-safe. */
  interface Run {
    /** Adds those of a version, or of some. */
    void add(List<Put> entries);

    /** Whether it is time to write it. */
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
