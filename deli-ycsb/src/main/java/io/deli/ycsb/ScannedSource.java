package io.deli.ycsb;

import io.deli.client.ValueHit;
import io.deli.index.Column;
import io.deli.index.InvalidIndexException;
import io.deli.index.ValueType;
import io.deli.query.ValuePredicate;
import io.deli.query.ValuePredicate.Between;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.query.ValuePredicate.Prefix;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** Finds rows without an index: a scan of the whole table, filtered by the region servers. */
record ScannedSource(Column column, ValueType type, int versions) implements ValueSource {
  private static final Comparator<ValueHit> NEWEST_FIRST =
      Comparator.comparingLong(ValueHit::timestamp)
          .reversed()
          .thenComparing(ValueHit::row, Bytes.BYTES_COMPARATOR);

  @Override
  public List<ValueHit> find(Table table, ValuePredicate condition, int limit, List<Column> columns)
      throws IOException {
    Scan scan = new Scan().setFilter(filter(condition)).readVersions(versions);
    scan.addColumn(column.family(), column.qualifier());
    columns.forEach(each -> scan.addColumn(each.family(), each.qualifier()));
    ValuePredicate ordered = condition.map(type::ordered);
    List<ValueHit> hits = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row : scanner) {
        for (Cell cell : row.getColumnCells(column.family(), column.qualifier())) {
          byte[] value = CellUtil.cloneValue(cell);
          // of several versions the filter passes all if one satisfies it
          if (ordered.test(type.ordered(value))) {
            hits.add(new ValueHit(row.getRow(), value, cell.getTimestamp(), row));
          }
        }
      }
    }
    return limit == 0 ? hits : hits.stream().sorted(NEWEST_FIRST).limit(limit).toList();
  }

  private Filter filter(ValuePredicate condition) {
    if (condition instanceof EqualTo equal) {
      return filter(CompareOperator.EQUAL, new BinaryComparator(equal.value()));
    } else if (condition instanceof Prefix prefix) {
      if (type.isNumeric()) {
        throw new InvalidIndexException("numbers have no prefixes: use STRING or BYTES");
      }
      return filter(CompareOperator.EQUAL, new BinaryPrefixComparator(prefix.prefix()));
    }
    Between range = (Between) condition;
    return new FilterList(
        filter(CompareOperator.GREATER_OR_EQUAL, ordered(range.low().orElseThrow().value())),
        filter(CompareOperator.LESS_OR_EQUAL, ordered(range.high().orElseThrow().value())));
  }

  private ByteArrayComparable ordered(byte[] bound) {
    if (type == ValueType.LONG) {
      return new LongComparator(Bytes.toLong(bound));
    } else if (type.isNumeric()) {
      throw new InvalidIndexException(
          "HBase's filters know no ranges of " + type + ": use LONG, STRING or BYTES");
    }
    return new BinaryComparator(bound);
  }

  private Filter filter(CompareOperator operator, ByteArrayComparable comparator) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(column.family(), column.qualifier(), operator, comparator);
    filter.setFilterIfMissing(true);
    filter.setLatestVersionOnly(versions == 1);
    return filter;
  }
}
