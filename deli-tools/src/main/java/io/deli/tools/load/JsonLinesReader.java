package io.deli.tools.load;

import io.deli.tools.load.RecordReader.BadLineException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** Rows as JSON objects, one on each line; nested values are kept as JSON text. */
public final class JsonLinesReader implements RecordReader {
  private static final Pattern COLUMN = Pattern.compile("column \\d+");

  private final Lines lines;

  JsonLinesReader(Lines lines) {
    this.lines = lines;
  }

  @Override
  public Optional<InputRecord> next() throws IOException, BadLineException {
    String line = lines.next();
    while (line != null && line.isBlank()) {
      line = lines.next();
    }
    if (line == null) {
      return Optional.empty();
    }
    lines.requireUtf8(lines.number());
    return Optional.of(new InputRecord(lines.number(), fields(line)));
  }

  private Map<String, String> fields(String line) throws BadLineException {
    JsonElement element;
    try {
      element = JsonParser.parseString(line);
    } catch (JsonParseException e) {
      throw new BadLineException(lines.number(), "no JSON" + where(e));
    }
    if (!element.isJsonObject()) {
      throw new BadLineException(lines.number(), "no JSON object");
    }
    Map<String, String> fields = new LinkedHashMap<>();
    element
        .getAsJsonObject()
        .entrySet()
        .forEach(field -> fields.put(field.getKey(), text(field.getValue())));
    return fields;
  }

  /** Says where, and no more: the parser's own words are for programmers, with names of classes. */
  private static String where(JsonParseException e) {
    Matcher column = COLUMN.matcher(String.valueOf(e.getMessage()));
    return column.find() ? " from " + column.group() + " on" : "";
  }

  private static String text(JsonElement value) {
    if (value.isJsonNull()) {
      return null;
    }
    return value.isJsonPrimitive() ? value.getAsString() : value.toString();
  }
}
