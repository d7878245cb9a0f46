package io.deli.tools.command;

import io.deli.tools.RootCommand;
import io.deli.tools.output.Format;
import io.deli.tools.output.RowWriter;
import java.util.List;
import picocli.CommandLine.Option;

/** In which format a command prints its rows. */
public final class FormatOption {
  @Option(
      names = "--format",
      defaultValue = "TABLE",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Format format;

  /** Prints rows of these columns. */
  public RowWriter writer(RootCommand deli, String what, List<String> columns) {
    return deli.format(format).writer(deli.terminal(), what, columns);
  }
}
