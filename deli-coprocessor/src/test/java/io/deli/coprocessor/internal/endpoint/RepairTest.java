package io.deli.coprocessor.internal.endpoint;

import static io.deli.coprocessor.internal.scan.Cells.by;
import static io.deli.coprocessor.internal.scan.Cells.cell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.internal.scan.Cells;
import io.deli.coprocessor.internal.send.IndexDelete;
import io.deli.coprocessor.internal.send.ServerResources;
import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.service.RegionService.Entries;
import io.deli.service.RegionService.Suspect;
import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RepairTest {
  private static final long GRACE = 600_000;
  private static final long NOW = 10_000_000;
  private static final TableName TABLE = TableName.valueOf("t");
  private static final IndexDefinition DEFINITION = IndexDefinition.on("by_q", Column.parse("f:q"));
  private static final Index INDEX = Index.of(TABLE, DEFINITION);

  private final MetricRegistry metrics =
      MetricRegistries.global().create(new MetricRegistryInfo("r", "e", "p", "a", true));

  @AfterEach
  void releaseTheClock() {
    EnvironmentEdgeManager.reset();
  }

  private static Entry entry(String value, long timestamp, WriteId id) {
    return new Entry(Bytes.toBytes(value), Bytes.toBytes("r"), timestamp, id);
  }

  /** Of rows up to x. It has no region: whoever looks for the version fails. */
  private RegionCoprocessorEnvironment env() {
    Map<String, Object> answers =
        Map.of(
            "getConfiguration",
            new Configuration(false),
            "getServerName",
            ServerName.valueOf("here", 2, 2),
            "getSharedData",
            new ConcurrentHashMap<>(),
            "getMetricRegistryForRegionServer",
            metrics,
            "getRegionInfo",
            RegionInfoBuilder.newBuilder(TABLE).setEndKey(Bytes.toBytes("x")).build());
    return (RegionCoprocessorEnvironment)
        Proxy.newProxyInstance(
            RepairTest.class.getClassLoader(),
            new Class<?>[] {RegionCoprocessorEnvironment.class},
            (proxy, method, arguments) -> answers.get(method.getName()));
  }

  private static TableIndexes indexes() {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
    return TableIndexes.of(
        IndexDefinitions.put(table, DEFINITION).build(),
        false,
        problem -> {
          throw new InvalidIndexException(problem);
        });
  }

  @Test
  void whoseWriterMayBeInFlight_isNotLookedInto() throws Exception {
    EnvironmentEdgeManager.injectEdge(() -> NOW);
    RegionCoprocessorEnvironment env = env();
    ServerResources server = ServerResources.join(env);
    try {
      Repair repair = new Repair(env, indexes(), server, problem -> {}, store -> Optional.empty());
      for (long age : new long[] {0, GRACE / 2, GRACE}) {
        repair.look(new Suspect("by_q", entry("v", NOW - age, WriteId.NONE)));
        repair.look(new Suspect("by_q", entry("v", 1, WriteId.of(NOW - age, 7))));
      }
      assertThat(metrics.getMetrics().values())
          .filteredOn(Counter.class::isInstance)
          .extracting(counter -> ((Counter) counter).getCount())
          .contains(6L);
      Suspect settled = new Suspect("by_q", entry("v", NOW - GRACE - 1, WriteId.NONE));
      assertThatThrownBy(() -> repair.look(settled)).isInstanceOf(NullPointerException.class);
      Entry elsewhere = new Entry(new byte[] {'v'}, Bytes.toBytes("y"), 1, WriteId.NONE);
      assertThatThrownBy(() -> repair.look(new Suspect("by_q", elsewhere)))
          .isInstanceOf(NotServingRegionException.class)
          .hasMessageContaining("row 'y'");
    } finally {
      ServerResources.leave(env);
    }
  }

  /** They are too young to be looked for in the region. */
  @Test
  @Timeout(20)
  void entriesWithEqualHashes_areToldApartSoon() throws Exception {
    EnvironmentEdgeManager.injectEdge(() -> NOW);
    List<Entry> entries = new ArrayList<>();
    for (long high = 1; high <= 200_000; high++) {
      entries.add(entry("v", high << Integer.SIZE | high, WriteId.of(NOW, 1)));
    }
    assertThat(entries).extracting(Entry::hashCode).containsOnly(entries.get(0).hashCode());
    RegionCoprocessorEnvironment env = env();
    ServerResources server = ServerResources.join(env);
    try {
      EntrySweep sweep = new EntrySweep(env, indexes(), server, problem -> {});
      assertThat(sweep.run(new Entries("by_q", 1, entries))).isEmpty();
    } finally {
      ServerResources.leave(env);
    }
  }

  /** They are too young to be looked for in the region; each takes a second nevertheless. */
  @Test
  void entriesThatAreNotExaminedInTime_areNamed_toBeAskedForAgain() throws Exception {
    AtomicLong clock = new AtomicLong(NOW);
    EnvironmentEdgeManager.injectEdge(() -> clock.addAndGet(1_000));
    List<Entry> entries = new ArrayList<>();
    for (int i = 1; i <= 40; i++) {
      entries.add(entry("v", i, WriteId.of(NOW, 1)));
      entries.add(entry("v", i, WriteId.of(NOW, 2)));
    }
    RegionCoprocessorEnvironment env = env();
    ServerResources server = ServerResources.join(env);
    try {
      EntrySweep sweep = new EntrySweep(env, indexes(), server, problem -> {});
      int requests = 0;
      for (List<Entry> left = entries; !left.isEmpty(); requests++) {
        List<Entry> all = left;
        List<Integer> missed = sweep.run(new Entries("by_q", 1, all));
        assertThat(missed).hasSizeLessThan(all.size());
        left = missed.stream().map(all::get).toList();
        assertThat(left).isEqualTo(all.subList(all.size() - left.size(), all.size()));
      }
      assertThat(requests).isBetween(2, 10);
    } finally {
      ServerResources.leave(env);
    }
  }

  @Test
  void anEntry_isDeletedFromEachGeneration() {
    Entry entry = entry("v", 5, WriteId.NONE);
    Index rebuilt = Index.of(TABLE, DEFINITION.withBeside(2));
    assertThat(Repair.deletes(rebuilt, entry))
        .extracting(IndexDelete::table)
        .containsExactly(TableName.valueOf("t.by_q"), TableName.valueOf("t.by_q.2"));
    assertThat(Repair.deletes(INDEX, entry))
        .singleElement()
        .satisfies(
            delete ->
                assertThat(delete.delete().getFamilyCellMap())
                    .isEqualTo(
                        EntryCodec.delete(List.of(INDEX.strategy().retract(INDEX, entry).get()))
                            .getFamilyCellMap()));
  }

  private static Cell put(long timestamp, String value, long write) {
    return cell("q", timestamp, KeyValue.Type.Put, value, write);
  }

  private static HeldVersions held(Entry entry, Cell... cells) {
    return HeldVersions.of(List.of(cells), INDEX, entry);
  }

  /** Superseded by a twin, or under a marker: what a store holds may be seen again. */
  @Test
  void heldVersions_areEachWriteOfTheVersionWithItsToken() {
    Entry entry = entry("v", 5, WriteId.NONE);
    WriteId one = WriteId.of(1, 1);
    Cell marker = cell("q", 5, KeyValue.Type.Delete, "", 9);
    Cell older = put(4, "v", 1);
    assertThat(held(entry)).isEqualTo(new HeldVersions(List.of(), Optional.empty()));
    assertThat(held(entry, older).isEmpty()).isTrue();
    assertThat(held(entry, put(5, "w", 2), older).isEmpty()).isTrue();
    assertThat(held(entry, put(5, "v", 2), older))
        .isEqualTo(new HeldVersions(List.of(WriteId.NONE), Optional.of(WriteId.NONE)));
    assertThat(held(entry, marker, by(one, put(5, "v", 2)), put(5, "v", 1), older))
        .isEqualTo(new HeldVersions(List.of(one, WriteId.NONE), Optional.of(one)));
    assertThat(held(entry, put(5, "w", 3), by(one, put(5, "v", 2)), older))
        .isEqualTo(new HeldVersions(List.of(one), Optional.empty()));
    assertThat(held(entry, put(5, "w", 3), by(one, put(5, "v", 2))).isEmpty()).isFalse();
  }

  /** Each twin without an id may be of one write with each of another column's. */
  @Test
  void versionsOfSeveralColumns_thatAreTooManyToBeTold_areHeld() {
    Index joined =
        Index.of(TABLE, IndexDefinition.on("by_q_p", Column.parse("f:q"), Column.parse("f:p")));
    Entry entry = entry("v", 5, WriteId.NONE);
    List<Cell> twins = new ArrayList<>();
    for (String qualifier : List.of("p", "q")) {
      for (int i = 0; i < 5_000; i++) {
        twins.add(cell(qualifier, 5, KeyValue.Type.Put, "v" + i, 9));
      }
    }
    HeldVersions held = HeldVersions.of(twins, joined, entry);
    assertThat(held.isEmpty()).isFalse();
    assertThat(held.winner()).isEmpty();
    assertThat(HeldVersions.of(twins.subList(0, 5_001), joined, entry).isEmpty()).isTrue();
  }

  /** Of a version at 5 in the second file; another cell is in a file, or in memory. */
  private static boolean isSuperseded(OptionalLong file, Cell other) {
    Supersession found = new Supersession(INDEX.column(), 5);
    found.add(put(5, "v", 1), OptionalLong.of(1));
    found.add(other, file);
    return found.isForGood();
  }

  private static boolean isSuperseded(Cell other) {
    Supersession found = new Supersession(INDEX.column(), 5);
    found.add(put(7, "w", 3), OptionalLong.of(2));
    found.add(other, OptionalLong.of(2));
    found.add(put(5, "v", 1), OptionalLong.of(1));
    return found.isForGood();
  }

  @Test
  void aPlainPut_inAFileThatIsNoOlder_supersedesForGood() {
    Cell newer = put(7, "w", 2);
    Cell labelled =
        KeyValueUtil.copyToNewKeyValue(
            PrivateCellUtil.createCell(
                newer, List.of(new ArrayBackedTag(TagType.VISIBILITY_TAG_TYPE, "x"))));
    OptionalLong newest = OptionalLong.of(2);
    assertThat(isSuperseded(newest, newer)).isTrue();
    assertThat(isSuperseded(OptionalLong.of(1), by(WriteId.of(1, 1), newer))).isTrue();
    assertThat(isSuperseded(OptionalLong.of(0), newer)).isFalse();
    assertThat(isSuperseded(OptionalLong.empty(), newer)).isFalse();
    assertThat(isSuperseded(newest, Cells.passing(newer, 9))).isFalse();
    assertThat(isSuperseded(newest, labelled)).isFalse();
    assertThat(isSuperseded(newest, put(5, "w", 2))).isFalse();
    assertThat(isSuperseded(newest, put(4, "w", 2))).isFalse();
    assertThat(isSuperseded(newest, cell("p", 7, KeyValue.Type.Put, "w", 2))).isFalse();
  }

  @Test
  void aMarkerThatMayHideIt_leavesItOpen_whatSupersedesAVersion() {
    assertThat(isSuperseded(put(9, "w", 4))).isTrue();
    assertThat(isSuperseded(cell("q", 4, KeyValue.Type.DeleteColumn, "", 4))).isTrue();
    assertThat(isSuperseded(cell("p", 7, KeyValue.Type.DeleteColumn, "", 4))).isTrue();
    assertThat(isSuperseded(cell("q", 7, KeyValue.Type.Delete, "", 4))).isFalse();
    assertThat(isSuperseded(cell("q", 6, KeyValue.Type.DeleteColumn, "", 4))).isFalse();
    assertThat(isSuperseded(cell("", 7, KeyValue.Type.DeleteFamilyVersion, "", 4))).isFalse();
    Supersession gone = new Supersession(INDEX.column(), 5);
    gone.add(put(7, "w", 3), OptionalLong.of(2));
    assertThat(gone.isForGood()).as("of no version that is held").isFalse();
    gone.add(put(5, "v", 1), OptionalLong.empty());
    assertThat(gone.isForGood()).as("of one in memory").isFalse();
  }
}
