package io.deli.tools.command;

import io.deli.tools.RootCommand;
import io.deli.tools.output.Format;
import io.deli.tools.output.RowWriter;
import java.util.List;
import picocli.CommandLine.Option;

/** Options for the format in which a command prints its rows. */
public final class FormatOption {
  @Option(names = "--format", description = "${COMPLETION-CANDIDATES} (default: TABLE).")
  private Format format;

  @Option(
      names = "--millis",
      description = "Print times in tables as milliseconds since 1970, as CSV and JSON have them.")
  private boolean millis;

  public RowWriter writer(RootCommand deli, String what, List<String> columns) {
    Format chosen = deli.format(format == null ? Format.TABLE : format);
    return chosen.writer(deli.terminal(), what, columns, millis);
  }

  /** The format that the command line names; null if it names none. */
  Format given() {
    return format;
  }
}
