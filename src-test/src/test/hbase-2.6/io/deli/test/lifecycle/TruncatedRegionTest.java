package io.deli.test.lifecycle;

import static io.deli.test.lifecycle.OperatedTable.hbase;
import static io.deli.test.lifecycle.OperatedTable.ofTwoRows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

/** What HBase 2.6 can empty in part. */
class TruncatedRegionTest {
  private static void truncate(TableName table) throws IOException {
    hbase().truncateRegion(hbase().getRegions(table).get(0).getRegionName());
  }

  @Test
  void aRegionOfAnIndexInUseIsNotEmptied() throws IOException {
    OperatedTable table = ofTwoRows("region");
    assertThatThrownBy(() -> truncate(table.indexTable()))
        .hasStackTraceContaining("table " + table.indexTable() + " holds index")
        .hasStackTraceContaining("deli build " + table.name());
    table.assertExact();

    truncate(table.name());
    assertThat(table.find("same")).isEmpty();
    assertThat(table.garbage()).isEqualTo(2);
  }
}
