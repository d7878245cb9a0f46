package io.deli.tools.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.ValueQuery;
import io.deli.index.Column;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class QueryTextTest {
  private static final byte[] LOW = {0, -1};
  private static final byte[] HIGH = Bytes.toBytes("z");
  private static final ValueQuery.Target A = ValueQuery.on("a");

  @Test
  void aQueryIsReadAsItWasWritten() throws IOException {
    for (ValueQuery query :
        List.of(
            A.equalTo(LOW),
            A.prefix(HIGH),
            A.between(LOW, false, HIGH, true),
            A.atLeast(LOW),
            A.greaterThan(LOW),
            A.atMost(HIGH),
            A.lessThan(HIGH),
            A.leading(LOW).equalTo(HIGH),
            A.leading(LOW, HIGH).atLeast(LOW),
            A.equalTo(LOW).and(ValueQuery.on("b").prefix(HIGH).or(A.atMost(HIGH))),
            A.equalTo(LOW).asOf(7).versions(3).allowScan().rows(LOW, HIGH),
            A.equalTo(LOW).project(Column.parse("f:q"), Column.parse("f:")))) {
      assertThat(QueryText.read(QueryText.write(query))).hasToString(query.toString());
    }
  }

  @Test
  void whatOneScannerDoesIsRefused() {
    for (ValueQuery query :
        List.of(A.equalTo(LOW).limit(1), A.equalTo(LOW).mostRecent(1), A.equalTo(LOW).reversed())) {
      assertThatThrownBy(() -> QueryText.write(query))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("leave out limit, mostRecent, from and reversed");
    }
  }
}
