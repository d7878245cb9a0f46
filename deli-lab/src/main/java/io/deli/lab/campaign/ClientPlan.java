package io.deli.lab.campaign;

import io.deli.lab.torture.ContendedRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/**
 * The instructions of a client process.
 *
 * @param name unique, of its history
 * @param conf directory of the cluster's configuration
 * @param table on which it works
 * @param directory of the history
 * @param shared the file of {@link SharedState}
 * @param hot rows of each kind
 * @param wide rows besides
 * @param threads that make calls
 * @param seed of its choices
 * @param aheadMillis of the true time that its clock runs
 * @param page rows that a query reads at a time; 0 as by default
 * @param byKey whether the hits of one value come by row key
 * @param graceMillis of read repair
 */
record ClientPlan(
    String name,
    String conf,
    String table,
    String directory,
    String shared,
    int hot,
    int wide,
    int threads,
    long seed,
    long aheadMillis,
    int page,
    boolean byKey,
    long graceMillis) {
  void write(Path file) throws IOException {
    Files.writeString(file, new Gson().toJson(this));
  }

  static ClientPlan read(Path file) throws IOException {
    return new Gson().fromJson(Files.readString(file), ClientPlan.class);
  }

  ClientPlan named(String another, long anotherSeed) {
    return new ClientPlan(
        another,
        conf,
        table,
        directory,
        shared,
        hot,
        wide,
        threads,
        anotherSeed,
        aheadMillis,
        page,
        byKey,
        graceMillis);
  }

  int places() {
    return places(hot, wide);
  }

  static int places(int hot, int wide) {
    return hot * ContendedRows.Kind.values().length + wide;
  }
}
