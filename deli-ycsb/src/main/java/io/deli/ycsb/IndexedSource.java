package io.deli.ycsb;

import io.deli.client.DeliTable;
import io.deli.client.ValueHit;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.index.Column;
import io.deli.query.ValuePredicate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Table;

record IndexedSource(String index, int versions) implements ValueSource {
  @Override
  public List<ValueHit> find(Table table, ValuePredicate condition, int limit, List<Column> columns)
      throws IOException {
    ValueQuery query =
        ValueQuery.on(index)
            .matching(condition)
            .versions(versions)
            .project(columns.toArray(new Column[0]));
    List<ValueHit> hits = new ArrayList<>();
    try (ValueScanner scanner =
        ((DeliTable) table).readValue(limit == 0 ? query : query.mostRecent(limit))) {
      for (Optional<ValueHit> hit = scanner.next(); hit.isPresent(); hit = scanner.next()) {
        hits.add(hit.get());
      }
    }
    return hits;
  }
}
