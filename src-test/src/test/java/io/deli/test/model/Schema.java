package io.deli.test.model;

import io.deli.config.DeliSettings;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.test.model.ModelIndex.Kind;
import io.deli.token.Tokenizers;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** The table under test and its indexes. */
final class Schema {
  static final Column NAME = Column.parse("a:name");
  static final Column NUMBER = Column.parse("a:number");
  static final Column TEXT = Column.parse("b:text");
  static final Column NOTE = Column.parse("b:note");

  /** Has no index. */
  static final Column PLAIN = Column.parse("c:plain");

  /** On a column that nobody writes. */
  static final IndexDefinition UNUSED = IndexDefinition.on("unused", Column.parse("c:unused"));

  /**
   * By the clock of the servers, to which what clients write here is years old. What they write
   * themselves, for versions that deletes expose, is not.
   */
  static final long SERVERS_GRACE_MILLIS = 3_000;

  static final byte[] LEAST_NUMBER = Bytes.toBytes(Long.MIN_VALUE);

  static final List<Column> INDEXED = List.of(NAME, NUMBER, TEXT, NOTE);
  static final List<Column> COLUMNS = List.of(NAME, NUMBER, TEXT, NOTE, PLAIN);
  static final Map<String, Integer> VERSIONS = Map.of("a", 1, "b", 3, "c", 1);

  static final ModelIndex BY_TEXT =
      new ModelIndex(IndexDefinition.on("text", TEXT), Kind.WHOLE_VALUE);
  static final ModelIndex RECENT =
      new ModelIndex(
          IndexDefinition.on("recent", TEXT).withOrder(EntryOrder.BY_TIME), Kind.WHOLE_VALUE);
  static final ModelIndex START =
      new ModelIndex(
          IndexDefinition.on("start", NAME)
              .withType(ValueType.STRING)
              .withTokenizer(Tokenizers.PREFIX)
              .withOption(Tokenizers.PREFIX_LENGTH, "3")
              .withOrder(EntryOrder.BY_TIME),
          Kind.PREFIXES);
  static final ModelIndex BY_NUMBER =
      new ModelIndex(IndexDefinition.on("number", NUMBER).withType(ValueType.LONG), Kind.NUMBER);
  static final ModelIndex WORDS =
      new ModelIndex(
          IndexDefinition.on("words", NOTE).withTokenizer(WordsTokenizer.class.getName()),
          Kind.WORDS);

  static final List<ModelIndex> INDEXES = List.of(BY_TEXT, RECENT, START, BY_NUMBER, WORDS);

  private Schema() {}

  static ModelTable model() {
    return new ModelTable(VERSIONS, COLUMNS);
  }

  /** Memory is compacted every few dozen writes; store files only when the test says so. */
  static TableDescriptor table(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(family("a").setInMemoryCompaction(MemoryCompactionPolicy.BASIC).build())
        .setColumnFamily(family("b").setInMemoryCompaction(MemoryCompactionPolicy.EAGER).build())
        .setColumnFamily(family("c").build())
        .setValue("hbase.memstore.inmemoryflush.threshold.factor", "0.00003")
        .setValue(
            "hbase.hstore.defaultengine.compactionpolicy.class", PartialCompactions.class.getName())
        .setValue(HConstants.MAJOR_COMPACTION_PERIOD, "0")
        .setValue("deli.gc.timeout.ms", "120000")
        .setValue(DeliSettings.REPAIR_GRACE.key(), Long.toString(SERVERS_GRACE_MILLIS))
        // The model's clock is years behind the servers'.
        .setValue(DeliSettings.ADMISSION.key(), "false")
        .build();
  }

  private static ColumnFamilyDescriptorBuilder family(String name) {
    return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(name))
        .setMaxVersions(VERSIONS.get(name));
  }
}
