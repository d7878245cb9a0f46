package io.deli.lab.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/**
 * The instructions of a client process.
 *
 * @param directory of the history, and of the file of {@link SharedState}
 * @param page rows that a query reads at a time; 0 as by default
 * @param byKey whether the hits of one value come by row key
 */
record ClientPlan(
    String cluster,
    String table,
    String directory,
    long seed,
    long aheadMillis,
    int page,
    boolean byKey) {
  void write(Path file) throws IOException {
    Files.writeString(file, new Gson().toJson(this));
  }

  static ClientPlan read(Path file) throws IOException {
    return new Gson().fromJson(Files.readString(file), ClientPlan.class);
  }

  SharedState shared() throws IOException {
    return SharedState.open(Path.of(directory, "shared"), CellSize.PLACES);
  }
}
