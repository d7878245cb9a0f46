package io.deli.test.gc;

import static io.deli.test.cluster.TestTable.FAMILY;
import static io.deli.test.cluster.TestTable.QUALIFIER;
import static io.deli.test.cluster.TestTable.entry;
import static io.deli.test.gc.CompactedTable.deleteOf;
import static io.deli.test.gc.TroubleTest.admin;
import static io.deli.test.gc.TroubleTest.assertKept;
import static io.deli.test.gc.TroubleTest.overwrite;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.ProgressListener;
import io.deli.test.cluster.FailingTokenizer;
import io.deli.test.cluster.FailingTokenizer.Failure;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.cluster.TestTable;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Staged collection drops what a finished run has covered, that and no more. */
class StagedTest {
  private static void assertDropsNext(CompactedTable table) throws IOException {
    assertKept(table);
    table.majorOnce();
    assertThat(table.raw()).hasSize(2);
  }

  @Test
  void dropsInTheNextCompactionWhatTheRunHasDeleted() throws Exception {
    try (CompactedTable table = Mode.STAGED.create("next", 1)) {
      overwrite(table);
      table.majorOnce();
      assertThat(table.entrySet()).isEqualTo(table.justified()).hasSize(2);
      assertDropsNext(table);
    }
  }

  @Test
  void collectionOnRequestDropsItToo() throws Exception {
    try (CompactedTable table = Mode.STAGED.create("request", 1)) {
      overwrite(table);
      DeliAdmin.of(MiniCluster.connection()).collect(table.name(), ProgressListener.NONE);
      assertThat(table.entrySet()).isEqualTo(table.justified()).hasSize(2);
      assertThat(table.raw()).hasSize(2);
    }
  }

  @Test
  void coversNothingWhileTheIndexDoesNotAnswer() throws Exception {
    try (CompactedTable table = Mode.STAGED.waiting("unanswered", 5_000)) {
      overwrite(table);
      admin().disableTable(table.index().table());
      for (int i = 0; i < 3; i++) {
        table.majorOnce();
        assertKept(table);
      }
      admin().enableTable(table.index().table());
      assertThat(table.entrySet()).hasSize(3);
      table.majorOnce();
      assertThat(table.entrySet()).hasSize(2);
      assertDropsNext(table);
    }
  }

  @Test
  void aRegionThatMovedStartsAfresh() throws Exception {
    try (CompactedTable table = Mode.STAGED.create("moved", 1)) {
      overwrite(table);
      table.majorOnce();
      assertThat(table.entrySet()).hasSize(2);
      admin().assign(CompactedTable.unassign(table.name()));
      MiniCluster.utility().waitUntilAllRegionsAssigned(table.name());
      table.majorOnce();
      assertDropsNext(table);
      assertThat(table.entrySet()).isEqualTo(table.justified());
    }
  }

  @Test
  void aRowThatAlwaysChangesDoesNotGrow() throws Exception {
    try (CompactedTable table = Mode.STAGED.create("hot", 1)) {
      for (int i = 1; i <= 6; i++) {
        table.write("k", i, "v" + i);
        table.flush();
        table.majorOnce();
        assertThat(table.raw()).as("the newest, and one that waits").hasSize(Math.min(i, 2));
        assertThat(table.entrySet()).containsExactly(entry("v" + i, "k", i));
      }
    }
  }

  @Test
  void sparesWhatDiedAfterTheRun() throws Exception {
    try (CompactedTable table = Mode.STAGED.waiting("after", 5_000)) {
      table.write("k", 1, "A");
      table.write("k", 2, "B");
      table.flush();
      table.majorOnce();
      table.write("k", 3, "C");
      table.delete(deleteOf("other").addFamily(FAMILY, 1));
      table.flush();
      admin().disableTable(table.index().table());
      table.majorOnce();
      assertThat(table.raw()).as("B waits, A is gone").hasSize(2);
      admin().enableTable(table.index().table());
      assertThat(table.entrySet()).containsExactly(entry("B", "k", 2), entry("C", "k", 3));
      table.major();
      assertThat(table.entrySet()).containsExactly(entry("C", "k", 3));
      assertThat(table.raw()).hasSize(1);
    }
  }

  @Test
  void aVersionThatLivesAgainStays() throws Exception {
    try (CompactedTable table = Mode.STAGED.create("again", 1)) {
      table.write("k", 1, "A");
      table.write("k", 2, "B");
      table.flush();
      table.majorOnce();
      table.delete(deleteOf("k").addColumn(FAMILY, QUALIFIER, 2));
      assertThat(table.justified()).containsExactly(entry("A", "k", 1));
      table.flush();
      table.major();
      table.major();
      assertThat(table.justified()).as("as before").containsExactly(entry("A", "k", 1));
      assertThat(table.raw()).hasSize(1);
    }
  }

  @Test
  void oneRowThatFailsDoesNotKeepTheOthers() throws Exception {
    try (CompactedTable table =
        Mode.STAGED.create(
            "one_fails",
            1,
            List.of(TestTable.byQ().withTokenizer(FailingTokenizer.class.getName())))) {
      for (String row : List.of("bad", "good")) {
        table.write(row, 1, row);
        table.write(row, 2, "new");
      }
      table.flush();
      FailingTokenizer.fail("bad"::equals, Failure.STATE);
      try {
        table.major();
        assertThat(table.raw()).as("two versions of bad, one of good").hasSize(3);
      } finally {
        FailingTokenizer.work();
      }
      table.major();
      assertThat(table.raw()).hasSize(2);
      assertThat(table.entrySet()).isEqualTo(table.justified());
    }
  }
}
