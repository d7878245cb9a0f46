package io.deli.tools.command;

import io.deli.tools.Failure;
import io.deli.tools.load.RowFormat;
import java.util.List;
import java.util.Locale;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.QuoteMode;
import picocli.CommandLine.Option;

/** Options for the format of the input of {@code deli load}. */
final class InputOptions {
  enum Input {
    CSV,
    TSV,
    JSONL
  }

  @Option(
      names = "--input",
      description =
          "${COMPLETION-CANDIDATES} (default: by the file's name: .tsv, .tab, .json, .jsonl,"
              + " .ndjson, else CSV).")
  private Input form;

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "COL",
      description = "Names of the columns of a file without header line; - leaves one out.")
  private List<String> columns = List.of();

  @Option(
      names = "--null",
      paramLabel = "TEXT",
      description = "An unquoted value that means null (default: \\N).")
  private String nullText;

  @Option(names = "--delimiter", paramLabel = "CHAR", description = "Default: comma; tab for TSV.")
  private Character delimiter;

  @Option(
      names = "--quote",
      paramLabel = "CHAR",
      description = "Around values (default: \"); 'none' for none, as in TSV.")
  private String quote;

  @Option(
      names = "--escape",
      paramLabel = "CHAR",
      description =
          "Of the file, not of values: takes the next character literally, as in \\\" (default:"
              + " none in CSV, where \"\" is a quote; \\ in TSV).")
  private Character escape;

  /** Refuses combinations that make no sense, before anything is done. */
  void check(String file) {
    if (form(file) == Input.JSONL) {
      refuse("JSON Lines", "--columns", columns.isEmpty() ? null : columns);
      refuse("JSON Lines", "--null", nullText);
      refuse("JSON Lines", "--delimiter", delimiter);
      refuse("JSON Lines", "--quote", quote);
      refuse("JSON Lines", "--escape", escape);
    }
    if (form(file) == Input.TSV && !"none".equals(quote)) {
      refuse("TSV, which has no quotes", "--quote", quote);
    }
    if (quote != null && !quote.equals("none") && quote.length() != 1) {
      throw Failure.usage("--quote " + quote + ": give one character or 'none'");
    }
    if (form(file) != Input.JSONL) {
      try {
        delimited(form(file));
      } catch (IllegalArgumentException e) {
        throw Failure.usage(e.getMessage());
      }
    }
  }

  private static void refuse(String form, String option, Object given) {
    if (given != null) {
      throw Failure.usage("%s does not apply to %s: leave it out".formatted(option, form));
    }
  }

  RowFormat format(String file) {
    Input actual = form(file);
    return new RowFormat(actual == Input.JSONL, delimited(actual), columns);
  }

  private CSVFormat delimited(Input actual) {
    boolean tabs = actual == Input.TSV;
    char between = delimiter != null ? delimiter : tabs ? '\t' : ',';
    String quotes = quote == null ? "\"" : quote;
    Character around = tabs || quotes.equals("none") ? null : (Character) quotes.charAt(0);
    Character literal = escape != null ? escape : tabs ? (Character) '\\' : null;
    return CSVFormat.DEFAULT
        .builder()
        .setDelimiter(between)
        .setQuote(around)
        .setEscape(literal)
        .setNullString(nullText == null ? "\\N" : nullText)
        // Has the reader tell a quoted text from an unquoted one, which alone means null.
        .setQuoteMode(QuoteMode.ALL_NON_NULL)
        .setIgnoreEmptyLines(true)
        .get();
  }

  private Input form(String file) {
    if (form != null) {
      return form;
    }
    String name = file.toLowerCase(Locale.ROOT);
    if (name.matches(".*[.](tsv|tab)")) {
      return Input.TSV;
    }
    return name.matches(".*[.](json|jsonl|ndjson)") ? Input.JSONL : Input.CSV;
  }
}
