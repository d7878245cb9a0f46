package io.deli.tools.load;

import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.util.Bytes;

/** Writes the rows of an input to a table, in batches. */
public final class Loader {
  private static final int REPORT_EVERY = 256;

  private final RowMapping mapping;
  private final boolean strict;
  private final Consumer<BadLineException> bad;
  private final LongConsumer progress;

  /**
   * A loader.
   *
   * @param strict whether the first bad line ends the load
   * @param bad hears of bad lines that are skipped
   * @param progress hears, now and then, how many rows were sent
   */
  public Loader(
      RowMapping mapping, boolean strict, Consumer<BadLineException> bad, LongConsumer progress) {
    this.mapping = mapping;
    this.strict = strict;
    this.bad = bad;
    this.progress = progress;
  }

  /**
   * Loads all rows; returns when each is acknowledged.
   *
   * @throws Failure on a bad line if strict, or if HBase refuses rows; rows before it are written
   */
  public LoadReport load(RecordReader in, BufferedMutator out) throws IOException {
    long start = System.nanoTime();
    long rows = 0;
    long skipped = 0;
    try {
      while (true) {
        try {
          Optional<InputRecord> record = in.next();
          if (record.isEmpty()) {
            break;
          }
          out.mutate(mapping.put(record.get()));
          rows++;
        } catch (BadLineException e) {
          if (strict) {
            out.flush();
            throw Failure.of(
                "%s; stopped by --strict, the %,d rows before it are loaded"
                    .formatted(e.report(), rows));
          }
          bad.accept(e);
          skipped++;
        }
        if (rows % REPORT_EVERY == 0) {
          progress.accept(rows);
        }
      }
      out.flush();
    } catch (RetriesExhaustedWithDetailsException e) {
      throw refused(e);
    }
    progress.accept(rows);
    return new LoadReport(rows, skipped, Duration.ofNanos(System.nanoTime() - start));
  }

  private static Failure refused(RetriesExhaustedWithDetailsException e) {
    Throwable first = e.getCause(0);
    return new Failure(
        ExitCode.FAILED,
        "%d rows were not written, the first with key %s: %s; loading again is harmless"
            .formatted(
                e.getNumExceptions(),
                Bytes.toStringBinary(e.getRow(0).getRow()),
                first.getMessage()),
        e);
  }
}
