package io.deli.tools.dashboard;

import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.tools.Failure;
import io.deli.tools.Session;
import io.deli.tools.dashboard.Answers.Parameters;
import io.deli.tools.output.Texts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;

/** A query by value from the page, with a limit. */
final class LiveQuery {
  private static final int MOST = 200;

  private final Session session;

  LiveQuery(Session session) {
    this.session = session;
  }

  Map<String, Object> answer(Parameters asked) throws IOException {
    TableName table = TableName.valueOf(asked.get("table"));
    IndexDefinition index = session.admin().describe(table, asked.get("index"));
    int limit = limit(asked.get("limit", "20"));
    ValueQuery query = condition(index, asked).limit(limit);
    List<Object> hits = new ArrayList<>();
    long begun = System.nanoTime();
    try (DeliTable rows = session.indexed().getTable(table);
        ValueScanner scanner = rows.readValue(query)) {
      for (Optional<ValueHit> hit = scanner.next(); hit.isPresent(); hit = scanner.next()) {
        hits.add(hit(index.type(), hit.get()));
      }
    }
    long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun);
    return Map.of("hits", hits, "micros", micros, "limited", hits.size() == limit);
  }

  private static int limit(String text) {
    try {
      int limit = Integer.parseInt(text);
      if (limit >= 1 && limit <= MOST) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // No limit either.
    }
    throw Failure.usage("limit " + text + ": give a number from 1 to " + MOST);
  }

  private static ValueQuery condition(IndexDefinition index, Parameters asked) {
    ValueQuery.Target target = ValueQuery.on(index.name());
    byte[] value = Texts.encode(index.type(), asked.get("value"));
    String kind = asked.get("kind", "equal");
    return switch (kind) {
      case "equal" -> target.equalTo(value);
      case "prefix" -> target.prefix(value);
      case "atLeast" -> target.atLeast(value);
      case "atMost" -> target.atMost(value);
      case "between" -> target.between(value, Texts.encode(index.type(), asked.get("to")));
      default -> throw Failure.usage("there is no condition '" + kind + "'");
    };
  }

  /** As text: a number of a script has fewer digits than some of these. */
  private static Map<String, Object> hit(ValueType type, ValueHit hit) {
    return Map.of(
        "row", Texts.format(hit.row()),
        "value", String.valueOf(Texts.value(type, hit.value())),
        "timestamp", String.valueOf(hit.timestamp()));
  }
}
