package io.deli.tools.output;

import io.deli.client.ProgressListener;
import java.time.Duration;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows how far a long operation is: a bar for a person at a terminal, else a line every few
 * seconds. Not thread-safe.
 */
public final class Progress implements ProgressListener, AutoCloseable {
  private static final long LINE_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long POSITION_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int BAR_WIDTH = 100;

  private final Terminal terminal;
  private String stage = "";
  private String detail = "";
  private ProgressBar bar;
  private long begun;
  private long told;
  private long positionDue = System.nanoTime();

  public Progress(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Sets the text beside the figures. */
  public void detail(String text) {
    detail = text;
  }

  /** Says something that is to stay. */
  public void note(String text) {
    terminal.say(text);
  }

  @Override
  public void progress(String newStage, long done, long total) {
    if (!newStage.equals(stage)) {
      begin(newStage, total);
    }
    if (bar != null) {
      bar.maxHint(total <= 0 ? -1 : total);
      bar.stepTo(done);
      bar.setExtraMessage(detail);
    } else if (System.nanoTime() - told > LINE_NANOS) {
      told = System.nanoTime();
      terminal.say(line(done, total));
    }
  }

  /** Not only as a bar, which is gone with the process. */
  @Override
  public void resumable(String position) {
    if (System.nanoTime() - positionDue >= 0) {
      positionDue = System.nanoTime() + POSITION_NANOS;
      String line = "  resume: " + position;
      // Over what there is of the bar.
      terminal.say(bar == null ? line : String.format("\r%-" + BAR_WIDTH + "s", line));
    }
  }

  private void begin(String newStage, long total) {
    close();
    stage = newStage;
    begun = System.nanoTime();
    told = begun;
    if (terminal.interactive()) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(newStage)
              .setInitialMax(total <= 0 ? -1 : total)
              .setUpdateIntervalMillis(200)
              .setStyle(ProgressBarStyle.ASCII)
              .clearDisplayOnFinish()
              .setConsumer(new ConsoleProgressBarConsumer(terminal.err(), BAR_WIDTH))
              .build();
    }
  }

  private String line(long done, long total) {
    StringBuilder line = new StringBuilder("  ").append(stage);
    if (total > 0) {
      double part = (double) done / total;
      double seconds = (System.nanoTime() - begun) / 1e9;
      line.append(String.format(Locale.ROOT, " %.0f %%", 100 * part));
      if (part > 0) {
        line.append(String.format(Locale.ROOT, ", %.0f s left", seconds / part - seconds));
      }
    } else if (done > 0) {
      line.append(String.format(Locale.ROOT, ": %,d", done));
    }
    return detail.isEmpty() ? line.toString() : line.append(" (").append(detail) + ")";
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
    stage = "";
    detail = "";
  }
}
