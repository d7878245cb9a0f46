package io.deli.tools.demo;

import io.deli.index.ValueType;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One row of the demo's table.
 *
 * @param status {@code open}, {@code closed} or {@code limited}
 */
record Airport(String id, String name, String city, String country, long altitude, String status) {
  static final String FAMILY = "d";

  private static final byte[] FAMILY_BYTES = Bytes.toBytes(FAMILY);

  /** The row as a Put; the client gives it its timestamp. */
  Put put() {
    return new Put(Bytes.toBytes(id))
        .addColumn(FAMILY_BYTES, Bytes.toBytes("name"), Bytes.toBytes(name))
        .addColumn(FAMILY_BYTES, Bytes.toBytes("city"), Bytes.toBytes(city))
        .addColumn(FAMILY_BYTES, Bytes.toBytes("country"), Bytes.toBytes(country))
        .addColumn(
            FAMILY_BYTES, Bytes.toBytes("altitude"), ValueType.LONG.parse(Long.toString(altitude)))
        .addColumn(FAMILY_BYTES, Bytes.toBytes("status"), Bytes.toBytes(status));
  }

  static ValueType type(String column) {
    return column.equals("altitude") ? ValueType.LONG : ValueType.STRING;
  }

  /** The airport after a new survey: a little higher or lower, and perhaps closed or reopened. */
  Airport surveyed(int round) {
    int seed = id.hashCode() + 31 * round;
    String[] states = {"open", "closed", "limited", "open"};
    return new Airport(
        id,
        name,
        city,
        country,
        altitude + Math.floorMod(seed, 41) - 20,
        states[Math.floorMod(seed, states.length)]);
  }
}
