package io.deli.test.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.lab.LabCommand;
import io.deli.tools.DeliCommand;
import io.deli.tools.RootCommand;
import io.deli.tools.output.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Runs command lines of {@code deli} or {@code lab} in this JVM and keeps what they print. */
public final class Cli {
  private final Function<Terminal, RootCommand> root;
  private final List<String> target;

  /** Command lines of {@code deli} that end with these options. */
  public Cli(String... target) {
    this(DeliCommand::new, target);
  }

  private Cli(Function<Terminal, RootCommand> root, String... target) {
    this.root = root;
    this.target = List.of(target);
  }

  /** Command lines of {@code lab} that end with these options. */
  public static Cli lab(String... target) {
    return new Cli(LabCommand::new, target);
  }

  /** What a command line left behind. */
  public record Outcome(int code, String out, String err) {
    /** The lines on standard error that do not tell how far it is, as some do if it takes long. */
    List<String> errors() {
      return err.lines().filter(line -> !line.startsWith("  ")).toList();
    }

    Outcome assertFails(int failure, String reason) {
      assertThat(err).contains(reason);
      assertThat(code).isEqualTo(failure);
      return this;
    }
  }

  public Outcome run(String... args) {
    return runWith("", args);
  }

  /** Runs a command line that reads the given standard input. */
  public Outcome runWith(String input, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Outcome outcome = run(input, out, args);
    return new Outcome(outcome.code(), out.toString(StandardCharsets.UTF_8), outcome.err());
  }

  /** Runs a command line that prints to a stream of the test's. */
  Outcome runInto(OutputStream out, String... args) {
    return run("", out, args);
  }

  private Outcome run(String input, OutputStream out, String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(target);
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        root.apply(
                new Terminal(
                    new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                    new PrintStream(out, true, StandardCharsets.UTF_8),
                    new PrintStream(err, true, StandardCharsets.UTF_8),
                    false))
            .run(all.toArray(String[]::new));
    return new Outcome(code, "", err.toString(StandardCharsets.UTF_8));
  }
}
