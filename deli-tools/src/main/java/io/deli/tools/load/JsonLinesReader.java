package io.deli.tools.load;

import io.deli.tools.load.RecordReader.BadLineException;
import java.io.IOException;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.hbase.thirdparty.com.google.gson.Strictness;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonReader;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonToken;

/** Rows as JSON objects, one on each line; nested values are kept as JSON text. */
final class JsonLinesReader implements RecordReader {
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
    Map<String, String> fields = new LinkedHashMap<>();
    try (JsonReader json = new JsonReader(new StringReader(line))) {
      json.setStrictness(Strictness.LENIENT);
      if (json.peek() != JsonToken.BEGIN_OBJECT) {
        throw new BadLineException(lines.number(), "no JSON object");
      }
      json.beginObject();
      while (json.hasNext()) {
        String name = json.nextName();
        if (fields.containsKey(name)) {
          throw new BadLineException(lines.number(), "has key '" + name + "' twice");
        }
        fields.put(name, text(JsonParser.parseReader(json)));
      }
      json.endObject();
      if (json.peek() != JsonToken.END_DOCUMENT) {
        throw new BadLineException(lines.number(), "has text behind its JSON object");
      }
    } catch (IOException | JsonParseException e) {
      throw new BadLineException(lines.number(), "no JSON" + where(e));
    }
    return fields;
  }

  /** Says where, and no more: the parser's own words are for programmers, with names of classes. */
  private static String where(Exception e) {
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
