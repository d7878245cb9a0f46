package io.deli.tools.load;

import io.deli.client.WriteRefusedException;
import io.deli.tools.Failure;
import io.deli.tools.Failures;
import io.deli.tools.load.RecordReader.BadLineException;
import io.deli.tools.load.RecordReader.InputRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.client.BufferedMutator;

/** Writes the rows of an input to a table, in batches. */
public final class Loader {
  /** The outcome of a load: rows that were acknowledged, and bad lines that were skipped. */
  public record LoadReport(long rows, long bad, Duration time) {
    public double rowsPerSecond() {
      return rows / Math.max(0.001, time.toNanos() / 1e9);
    }
  }

  private static final int REPORT_EVERY = 256;

  private final RowMapping mapping;
  private final boolean strict;
  private final Consumer<BadLineException> bad;
  private final LongConsumer progress;

  /**
   * A loader.
   *
   * @param bad hears of bad lines that are skipped; one that ends the input, and the first if it is
   *     strict, ends the load
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
   * @throws Failure on a bad line that ends the load, or if HBase refuses rows; rows before it are
   *     written
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
          write(record.get(), out);
          rows++;
        } catch (BadLineException e) {
          if (strict || e.endsInput()) {
            out.flush();
            throw stopped(e, rows);
          }
          bad.accept(e);
          skipped++;
        }
        if (rows % REPORT_EVERY == 0) {
          progress.accept(rows);
        }
      }
      out.flush();
    } catch (IOException e) {
      throw ended(e, rows);
    }
    progress.accept(rows);
    return new LoadReport(rows, skipped, Duration.ofNanos(System.nanoTime() - start));
  }

  /** A row that the table or an index cannot hold is as bad as one that cannot be read. */
  private void write(InputRecord record, BufferedMutator out) throws IOException, BadLineException {
    try {
      out.mutate(mapping.put(record));
    } catch (WriteRefusedException | IllegalArgumentException e) {
      throw new BadLineException(record.line(), e.getMessage());
    }
  }

  private static Failure stopped(BadLineException e, long rows) {
    String why =
        e.endsInput()
            ? "stopped, for its end is unknown (mend it, or set --quote)"
            : "stopped by --strict";
    return Failure.of("%s; %s, the %,d rows before it are loaded".formatted(e.report(), why, rows));
  }

  private static Failure ended(IOException e, long rows) {
    Failure why = Failures.explain(e);
    return new Failure(
        why.exitCode(),
        "%s; %,d rows were sent, not all of them written: load again, which is harmless"
            .formatted(why.getMessage(), rows),
        e);
  }
}
