package io.deli.test.build;

import static io.deli.test.cluster.TestTable.INDEX;
import static io.deli.test.cluster.TestTable.entry;
import static io.deli.test.cluster.TestTable.find;
import static io.deli.test.cluster.TestTable.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.BuildOptions;
import io.deli.client.DeliTable;
import io.deli.client.Finding.Kind;
import io.deli.client.ProgressListener;
import io.deli.client.ValueQuery;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.strategy.Index;
import io.deli.test.cluster.Eventually;
import io.deli.tools.files.EntryFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Of puts at one timestamp HBase shows the newest; an older one when those after it expired. */
class OutlastingTwinsTest {
  private static final long MINUTES = TimeUnit.MINUTES.toMillis(10);
  private static final long CENTURY = TimeUnit.DAYS.toMillis(100 * 365);

  /** A way to build. */
  enum Way {
    PUTS {
      @Override
      void build(BuiltTable table) throws IOException {
        table.build();
      }
    },
    FILES {
      @Override
      void build(BuiltTable table) throws IOException {
        table.build(BuildOptions.DEFAULT.withWriter(new EntryFiles()));
      }
    },
    JOB {
      @Override
      void build(BuiltTable table) throws IOException {
        table.buildByJob(INDEX);
      }
    };

    abstract void build(BuiltTable table) throws IOException;
  }

  private static BuiltTable create(String strategy) throws IOException {
    BuiltTable table = BuiltTable.create("outlasting");
    table.createIndex(BuiltTable.definition(strategy));
    return table;
  }

  private static List<String> entries(BuiltTable table) throws IOException {
    Index index = Index.of(table.name(), table.admin().describe(table.name(), INDEX));
    return table.read(index).stream().map(BuiltTable::text).toList();
  }

  @ParameterizedTest
  @EnumSource
  void versionsThatOutlastNewerTwinsAreIndexed(Way way) throws Exception {
    try (BuiltTable table = create("deferred")) {
      long now = System.currentTimeMillis();
      // One by one: in a batch they have one sequence id, and memory has only one of them.
      table.putPlain(List.of(put("row", now, "shorter").setTTL(MINUTES)));
      table.putPlain(List.of(put("row", now, "lasting")));
      table.putPlain(List.of(put("row", now, "longer").setTTL(3 * MINUTES)));
      table.flush();
      table.putPlain(List.of(put("row", now, "as long").setTTL(2 * MINUTES)));
      table.putPlain(List.of(put("row", now, "newest").setTTL(2 * MINUTES)));
      way.build(table);
      assertThat(entries(table))
          .containsExactlyInAnyOrder(
              entry("newest", "row", now),
              entry("longer", "row", now),
              entry("lasting", "row", now));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"deferred", "in-place", "lazy"})
  void aVersionIsFoundOnceItsTwinHasExpired(String strategy) throws Exception {
    try (BuiltTable table = create(strategy);
        DeliTable rows = table.connection().getTable(table.name())) {
      long now = System.currentTimeMillis();
      table.putPlain(List.of(put("row", now, "lasting")));
      table.flush();
      table.putPlain(List.of(put("row", now, "passing").setTTL(10_000)));
      table.build();
      Eventually.holds(
          () -> assertThat(table.scanned(new Scan())).containsExactly("row=lasting@" + now));
      assertThat(find(rows, ValueQuery.on(INDEX).equalTo(Bytes.toBytes("lasting"))))
          .containsExactly("row");
      table.assertComplete();
    }
  }

  /** HBase's client loses a twin that begins a part of a row. */
  @Test
  void twinsInDifferentPartsOfARowAreIndexed() throws Exception {
    try (BuiltTable table = create("deferred")) {
      long now = System.currentTimeMillis();
      List<Put> older = new ArrayList<>();
      List<Put> newer = new ArrayList<>();
      for (int i = 0; i < 1_500; i++) {
        older.add(put("row", now - i, "lasting"));
        newer.add(put("row", now - i, "passing").setTTL(MINUTES));
      }
      table.putPlain(older.subList(999, 1_500));
      table.flush();
      table.putPlain(newer);
      table.build();
      assertThat(entries(table)).filteredOn(each -> each.startsWith("lasting")).hasSize(501);
    }
  }

  @Test
  void verificationReportsNoVersionBehindATwin() throws Exception {
    try (BuiltTable table = create("deferred")) {
      table.putPlain(List.of(put("row", 5, "lasting")));
      table.flush();
      table.putPlain(List.of(put("row", 5, "passing").setTTL(CENTURY)));
      table.build();
      VerifyReport report =
          table
              .admin()
              .verify(
                  table.name(), INDEX, VerifyOptions.DEFAULT.withRepair(), ProgressListener.NONE);
      assertThat(report.isClean()).isTrue();
      assertThat(report.count(Kind.OBSOLETE)).isOne();
      assertThat(report.reported()).isZero();
    }
  }
}
