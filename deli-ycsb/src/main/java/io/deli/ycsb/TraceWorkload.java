package io.deli.ycsb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Properties;
import java.util.Vector;
import site.ycsb.Client;
import site.ycsb.DB;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.workloads.CoreWorkload;

/**
 * Runs the operations of a trace, {@code trace.file}, that {@link RecordingClient} wrote.
 *
 * <p>All operations on one key are one thread's, in the trace's order, so that the table is the
 * same in the end, however many threads there are. The run ends with the trace, and it does not
 * matter whether YCSB loads or runs.
 */
@SuppressWarnings("JdkObsolete") // of YCSB's own interface
public class TraceWorkload extends Workload {
  private String table;
  private Path file;

  @Override
  public void init(Properties properties) throws WorkloadException {
    table =
        properties.getProperty(
            CoreWorkload.TABLENAME_PROPERTY, CoreWorkload.TABLENAME_PROPERTY_DEFAULT);
    try {
      file = TraceLine.file(properties);
    } catch (IllegalArgumentException e) {
      throw new WorkloadException(e.getMessage(), e);
    }
    if (!Files.isReadable(file)) {
      throw new WorkloadException("cannot read the trace " + file);
    }
    // YCSB starts no more threads than there are operations, and shares these out alike.
    for (String count : List.of(Client.OPERATION_COUNT_PROPERTY, Client.INSERT_COUNT_PROPERTY)) {
      properties.setProperty(count, Integer.toString(Integer.MAX_VALUE));
    }
  }

  /** One thread's share of the trace, whose size nobody knows. */
  private record Share(BufferedReader lines, int thread, int threads) {}

  @Override
  public Object initThread(Properties properties, int thread, int threads)
      throws WorkloadException {
    try {
      return new Share(Files.newBufferedReader(file, ISO_8859_1), thread, threads);
    } catch (IOException e) {
      throw new WorkloadException("cannot read the trace " + file, e);
    }
  }

  @Override
  public boolean doInsert(DB db, Object threadstate) {
    return doTransaction(db, threadstate);
  }

  @Override
  public boolean doTransaction(DB db, Object threadstate) {
    Share share = (Share) threadstate;
    try {
      for (String text = share.lines.readLine(); text != null; text = share.lines.readLine()) {
        TraceLine line = TraceLine.parse(text);
        if (Math.floorMod(line.text(0).hashCode(), share.threads) == share.thread) {
          run(db, line);
          return true;
        }
      }
      share.lines.close();
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the trace " + file, e);
    }
  }

  private void run(DB db, TraceLine line) {
    String first = line.text(0);
    switch (line.operation()) {
      case "INSERT" -> db.insert(table, first, line.record());
      case "UPDATE" -> db.update(table, first, line.record());
      case "DELETE" -> db.delete(table, first);
      case "READ" -> db.read(table, first, line.fields(1), new HashMap<>());
      case "SCAN" -> db.scan(table, first, line.number(1), line.fields(2), new Vector<>());
      default ->
          line.read()
              .orElseThrow(
                  () -> new IllegalStateException(file + ": no operation " + line.operation()))
              .measure(db, table);
    }
  }
}
