package io.deli.tools.command;

import io.deli.tools.Failure;
import io.deli.tools.load.DelimitedReader;
import io.deli.tools.load.JsonLinesReader;
import io.deli.tools.load.RecordReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.commons.csv.CSVFormat;
import picocli.CommandLine.Option;

/** How the input of {@code deli load} is written. */
final class InputOptions {
  /** The forms of input. */
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
      defaultValue = "\\N",
      paramLabel = "TEXT",
      description = "An unquoted value that means null (default: ${DEFAULT-VALUE}).")
  private String nullText;

  @Option(names = "--delimiter", paramLabel = "CHAR", description = "Default: comma; tab for TSV.")
  private Character delimiter;

  @Option(
      names = "--quote",
      defaultValue = "\"",
      paramLabel = "CHAR",
      description = "Around values (default: ${DEFAULT-VALUE}); 'none' for none, as in TSV.")
  private String quote;

  @Option(
      names = "--escape",
      paramLabel = "CHAR",
      description =
          "Takes the next character literally, as in \\\" (default: none in CSV, where \"\" is a"
              + " quote; \\ in TSV).")
  private Character escape;

  /** Refuses combinations that make no sense, before anything is done. */
  void check(Path file) {
    if (form(file) == Input.JSONL && !columns.isEmpty()) {
      throw Failure.usage("--columns does not go with JSON Lines, where each row names its own");
    }
    if (!quote.equals("none") && quote.length() != 1) {
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

  /** Reads the rows of an input, which is UTF-8. */
  RecordReader reader(InputStream in, Path file) {
    Reader text = new InputStreamReader(in, StandardCharsets.UTF_8);
    Input actual = form(file);
    return actual == Input.JSONL
        ? new JsonLinesReader(text)
        : new DelimitedReader(text, delimited(actual), columns);
  }

  private CSVFormat delimited(Input actual) {
    boolean tabs = actual == Input.TSV;
    char between = delimiter != null ? delimiter : tabs ? '\t' : ',';
    Character around = tabs || quote.equals("none") ? null : (Character) quote.charAt(0);
    Character literal = escape != null ? escape : tabs ? (Character) '\\' : null;
    return CSVFormat.DEFAULT
        .builder()
        .setDelimiter(between)
        .setQuote(around)
        .setEscape(literal)
        .setNullString(nullText)
        .setIgnoreEmptyLines(true)
        .get();
  }

  private Input form(Path file) {
    if (form != null) {
      return form;
    }
    String name = file == null ? "" : file.getFileName().toString().toLowerCase(Locale.ROOT);
    if (name.matches(".*[.](tsv|tab)")) {
      return Input.TSV;
    }
    return name.matches(".*[.](json|jsonl|ndjson)") ? Input.JSONL : Input.CSV;
  }
}
