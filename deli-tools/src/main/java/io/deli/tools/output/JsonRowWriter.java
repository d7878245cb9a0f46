package io.deli.tools.output;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/** One document: the rows as a list of objects, then the facts. */
final class JsonRowWriter implements RowWriter {
  private final PrintStream out;
  private final List<String> columns;
  private final JsonWriter json;

  JsonRowWriter(PrintStream out, String name, List<String> columns) {
    this.out = out;
    this.columns = columns;
    this.json = new JsonWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    json.setIndent("  ");
    try {
      json.beginObject().name(name).beginArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void row(List<?> values) {
    try {
      json.beginObject();
      for (int c = 0; c < columns.size(); c++) {
        if (values.get(c) != null) {
          json.name(columns.get(c));
          value(values.get(c));
        }
      }
      json.endObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void end(Map<String, ?> facts) {
    try {
      json.endArray();
      for (Map.Entry<String, ?> fact : facts.entrySet()) {
        json.name(fact.getKey());
        value(fact.getValue());
      }
      json.endObject().flush();
      out.println();
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void value(Object value) throws IOException {
    if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
      json.value(number);
    } else if (value instanceof Boolean truth) {
      json.value(truth);
    } else {
      // JSON has no word for NaN and infinity.
      json.value(value.toString());
    }
  }
}
