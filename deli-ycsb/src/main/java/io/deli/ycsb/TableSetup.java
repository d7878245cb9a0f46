package io.deli.ycsb;

import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.strategy.Strategies;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Sees to it that a binding's table and index are there, and are what the properties say. */
record TableSetup(Connection connection, BindingOptions options, Properties properties) {
  /** Of all bindings in this JVM one creates. */
  private static final Object CREATION = new Object();

  /** YCSB's keys are "user" and a number that begins with any digit but 0. */
  private static final int FIRST_KEY = 1000;

  private static final int LAST_KEY = 9999;

  /**
   * Checks table and index, creating them if the options say so.
   *
   * @throws IOException if something is missing or of another kind; the message says what
   */
  void run() throws IOException {
    synchronized (CREATION) {
      createTable();
      List<IndexDefinition> indexes = DeliAdmin.of(connection).list(options.table());
      if (!options.plain()) {
        requireIndex(indexes);
      } else if (!indexes.isEmpty()) {
        throw new DoNotRetryIOException(
            "table %s has indexes %s, which plain writes would not keep: use another table"
                .formatted(options.table(), indexes.stream().map(IndexDefinition::name).toList()));
      }
    }
  }

  private void createTable() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (admin.tableExists(options.table())) {
        return;
      }
      if (!options.create()) {
        throw new DoNotRetryIOException(
            "table %s does not exist: create it, or set -p %screate=true"
                .formatted(options.table(), BindingOptions.PREFIX));
      }
      admin.createTable(
          TableDescriptorBuilder.newBuilder(options.table())
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(options.family())
                      .setMaxVersions(options.versions())
                      .build())
              .build(),
          cuts(FIRST_KEY, LAST_KEY + 1L)
              .map(number -> Bytes.toBytes("user" + number))
              .toArray(byte[][]::new));
    }
  }

  private void requireIndex(List<IndexDefinition> indexes) throws IOException {
    IndexDefinition wanted = options.index();
    Optional<IndexDefinition> found =
        indexes.stream().filter(index -> index.name().equals(wanted.name())).findFirst();
    if (found.isPresent()) {
      requireSame(found.get());
    } else if (options.create()) {
      DeliAdmin.of(connection)
          .createIndex(
              options.table(), wanted, CreateIndexOptions.DEFAULT.withSplits(valueSplits()));
    } else {
      throw new DoNotRetryIOException(
          "table %s has no index %s: create it, or set -p %screate=true"
              .formatted(options.table(), wanted.name(), BindingOptions.PREFIX));
    }
  }

  private void requireSame(IndexDefinition found) throws IOException {
    if (!kind(found).equals(kind(options.index()))) {
      throw new DoNotRetryIOException(
          "index %s of %s is %s, not %s: set the properties accordingly, or use another table"
              .formatted(found.name(), options.table(), kind(found), kind(options.index())));
    }
  }

  /** All of an index but its table, which a build replaces. */
  private static String kind(IndexDefinition index) {
    return "%s %s %s %s by %s"
        .formatted(
            index.state(),
            index.strategy(),
            index.order(),
            index.tokenSource(),
            index.maintenance());
  }

  /** Known for the values of {@link ValueText} only. */
  private List<byte[]> valueSplits() {
    Optional<ValueText> values = ValueText.of(properties);
    if (values.isEmpty() || !Strategies.named(options.index().strategy()).keepsTable()) {
      return List.of();
    }
    ValueType type = options.index().type();
    return cuts(0, values.get().count())
        .map(values.get()::text)
        .map(text -> type.isNumeric() ? type.parse(text) : Bytes.toBytes(text))
        .toList();
  }

  private Stream<Long> cuts(long from, long to) {
    return IntStream.range(1, options.regions())
        .mapToObj(i -> from + (to - from) * i / options.regions())
        .distinct();
  }
}
