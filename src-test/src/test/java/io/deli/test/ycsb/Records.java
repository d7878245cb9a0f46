package io.deli.test.ycsb;

import io.deli.test.cluster.MiniCluster;
import io.deli.ycsb.ValueRead;
import io.deli.ycsb.ValueRead.Kind;
import io.deli.ycsb.ValueReads;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import org.apache.hadoop.hbase.HConstants;
import site.ycsb.ByteIterator;
import site.ycsb.StringByteIterator;

/** YCSB's records as tests like them. */
@SuppressWarnings({"NonApiType", "JdkObsolete"}) // of YCSB's own interface
final class Records {
  private Records() {}

  /** Properties of a binding to the tests' cluster, of records of two fields. */
  static Properties properties() {
    Properties properties = new Properties();
    properties.setProperty(
        HConstants.ZOOKEEPER_CLIENT_PORT,
        MiniCluster.configuration().get(HConstants.ZOOKEEPER_CLIENT_PORT));
    properties.setProperty("columnfamily", "f");
    properties.setProperty("fieldcount", "2");
    return properties;
  }

  /** A record of field0, field1 and so on. */
  static Map<String, ByteIterator> record(String... values) {
    Map<String, ByteIterator> record = new HashMap<>();
    for (int i = 0; i < values.length; i++) {
      record.put("field" + i, new StringByteIterator(values[i]));
    }
    return record;
  }

  static Map<String, String> text(Map<String, ByteIterator> record) {
    Map<String, String> text = new TreeMap<>();
    record.forEach(
        (field, value) -> {
          value.reset();
          text.put(field, value.toString());
        });
    return text;
  }

  static ValueRead equalTo(String field, String value, int limit, Set<String> fields) {
    return new ValueRead(Kind.READVALUE, field, List.of(value), limit, fields);
  }

  static ValueRead range(String from, String to) {
    return new ValueRead(Kind.RANGELOOKUP, "field0", List.of(from, to), 0, Set.of("field0"));
  }

  static ValueRead prefix(String prefix) {
    return new ValueRead(Kind.PREFIX, "field0", List.of(prefix), 0, null);
  }

  /** The keys of records that were read by value. */
  static List<String> keys(List<HashMap<String, ByteIterator>> records) {
    return records.stream().map(record -> text(record).get(ValueReads.KEY)).toList();
  }

  /** What an operation adds the records to that it finds. */
  static Vector<HashMap<String, ByteIterator>> results() {
    return new Vector<>();
  }
}
