package io.deli.ycsb;

import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.token.Tokenizers;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.workloads.CoreWorkload;

/**
 * The options that properties set for {@link DeliClient}.
 *
 * @param table the table that is checked, or created
 * @param plain whether to do without an index; the definition then only tells the column
 * @param versions how many of a record's versions a read by value considers
 * @param create whether to create table and index where they are absent, of so many regions each
 */
record BindingOptions(
    TableName table,
    byte[] family,
    List<String> fields,
    OptionalLong buffer,
    int batch,
    Durability durability,
    boolean plain,
    IndexDefinition index,
    int versions,
    boolean create,
    int regions) {
  static final String PREFIX = "deli.ycsb.";
  private static final String OPTION = PREFIX + "option.";
  private static final String PLAIN = "plain";
  private static final String DEFAULT_BUFFER = Long.toString(12 << 20);

  /**
   * Reads the properties.
   *
   * @throws IllegalArgumentException if one cannot be; the message names it
   */
  static BindingOptions of(Properties properties) {
    String family = properties.getProperty("columnfamily", "");
    if (family.isEmpty()) {
      throw new IllegalArgumentException("no column family: set -p columnfamily=NAME");
    }
    boolean buffered = flag(properties, "clientbuffering");
    String strategy = properties.getProperty(PREFIX + "strategy", IndexDefinition.DEFAULT_STRATEGY);
    boolean plain = strategy.equals(PLAIN);
    IndexDefinition index = index(properties, family);
    return new BindingOptions(
        TableName.valueOf(
            properties.getProperty(
                CoreWorkload.TABLENAME_PROPERTY, CoreWorkload.TABLENAME_PROPERTY_DEFAULT)),
        Bytes.toBytes(family),
        fieldNames(properties),
        buffered
            ? OptionalLong.of(number(properties, "writebuffersize", DEFAULT_BUFFER))
            : OptionalLong.empty(),
        batch(properties),
        choice(Durability.class, properties, "durability", Durability.USE_DEFAULT),
        plain,
        plain
            ? index
            : index.withStrategy(
                properties.getProperty(PREFIX + "strategy", IndexDefinition.DEFAULT_STRATEGY)),
        (int) number(properties, PREFIX + "versions", "1"),
        flag(properties, PREFIX + "create"),
        (int) number(properties, PREFIX + "regions", "1"));
  }

  private static IndexDefinition index(Properties properties, String family) {
    String field = field(properties);
    IndexDefinition index =
        IndexDefinition.on(
                properties.getProperty(PREFIX + "index", "by_" + field),
                Column.of(Bytes.toBytes(family), Bytes.toBytes(field)))
            .withType(type(properties))
            .withTokenizer(properties.getProperty(PREFIX + "tokenizer", Tokenizers.EXACT))
            .withOrder(choice(EntryOrder.class, properties, PREFIX + "order", EntryOrder.BY_KEY));
    for (String name : properties.stringPropertyNames()) {
      if (name.startsWith(OPTION)) {
        index = index.withOption(name.substring(OPTION.length()), properties.getProperty(name));
      }
    }
    return index;
  }

  static String field(Properties properties) {
    return properties.getProperty(PREFIX + "field", "field0");
  }

  static ValueType type(Properties properties) {
    return choice(ValueType.class, properties, PREFIX + "type", ValueType.STRING);
  }

  static boolean isPlain(Properties properties) {
    return PLAIN.equals(properties.getProperty(PREFIX + "strategy"));
  }

  static int batch(Properties properties) {
    return (int) number(properties, PREFIX + "batch", "1");
  }

  /** As {@link CoreWorkload} names them. */
  static List<String> fieldNames(Properties properties) {
    String prefix =
        properties.getProperty(
            CoreWorkload.FIELD_NAME_PREFIX, CoreWorkload.FIELD_NAME_PREFIX_DEFAULT);
    int count =
        (int)
            number(
                properties,
                CoreWorkload.FIELD_COUNT_PROPERTY,
                CoreWorkload.FIELD_COUNT_PROPERTY_DEFAULT);
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
  }

  String field() {
    return Bytes.toString(index.column().qualifier());
  }

  static boolean flag(Properties properties, String name) {
    return Boolean.parseBoolean(properties.getProperty(name, "false"));
  }

  static long number(Properties properties, String name, String otherwise) {
    String text = properties.getProperty(name, otherwise);
    try {
      long number = Long.parseLong(text);
      if (number >= 1 && number <= Integer.MAX_VALUE) {
        return number;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new IllegalArgumentException(
        name + "=" + text + ": must be a number from 1 to " + Integer.MAX_VALUE);
  }

  private static <E extends Enum<E>> E choice(
      Class<E> type, Properties properties, String name, E otherwise) {
    String text = properties.getProperty(name, otherwise.name());
    try {
      return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          name + "=" + text + ": use one of " + List.of(type.getEnumConstants()), e);
    }
  }
}
