package io.deli.tools.demo;

import io.deli.tools.output.Terminal;
import java.io.IOException;
import java.util.Locale;

/** Numbers the steps of the demo and tells how long each took. */
public final class Steps {
  private final Terminal terminal;
  private int number;

  public Steps(Terminal terminal) {
    this.terminal = terminal;
  }

  /** One step; gives a few words on its outcome. */
  @FunctionalInterface
  public interface Step {
    String run() throws IOException;
  }

  /** Runs a step and prints its title, time and outcome. */
  public void run(String title, Step step) throws IOException {
    number++;
    long start = System.nanoTime();
    String outcome = step.run();
    double seconds = (System.nanoTime() - start) / 1e9;
    terminal.print(
        String.format(Locale.ROOT, "%n[%d] %s: %.1f s", number, title, seconds)
            + (outcome.isEmpty() ? "" : ", " + outcome));
    terminal.out().flush();
  }
}
