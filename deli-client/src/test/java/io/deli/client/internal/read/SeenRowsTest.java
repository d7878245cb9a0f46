package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.ValueHit;
import io.deli.client.internal.read.HitPage.PositionedHit;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class SeenRowsTest {
  private static final long ROOM = 1 << 20;

  private static PositionedHit hit(String row) {
    return new PositionedHit(
        new ValueHit(Bytes.toBytes(row), Bytes.toBytes("v"), 5, Result.EMPTY_RESULT),
        Position.startOf(0));
  }

  @Test
  void give_again_isRefused() {
    SeenRows memory = new SeenRows(ROOM);
    assertThat(memory.give(hit("r"), false, true)).isTrue();
    assertThat(memory.give(hit("r"), false, true)).isFalse();
    memory.keep();
    memory.undo();
    assertThat(memory.give(hit("r"), true, false)).isFalse();
    assertThat(memory.knows(Bytes.toBytes("r"))).isTrue();
    assertThat(memory.knows(Bytes.toBytes("s"))).isFalse();
  }

  @Test
  void postponed_notMetAgain_comesAtTheEndOnce() {
    SeenRows memory = new SeenRows(ROOM);
    assertThat(memory.postpone(hit("met"), true)).isFalse();
    assertThat(memory.postpone(hit("lost"), true)).isFalse();
    assertThat(memory.give(hit("met"), true, true)).isTrue();
    assertThat(memory.postpone(hit("met"), true)).isFalse();
    assertThat(memory.givePostponed())
        .extracting(late -> Bytes.toString(late.hit().row()))
        .containsExactly("lost");
    assertThat(memory.give(hit("lost"), true, false)).isFalse();
  }

  @Test
  void takenBack_comesAtTheEndAgain() {
    SeenRows memory = new SeenRows(0);
    assertThat(memory.give(hit("r"), true, false)).isTrue();
    memory.takeBack(hit("r"));
    memory.keep();
    assertThat(memory.knows(Bytes.toBytes("r"))).isTrue();
    assertThat(memory.hasPostponed()).isTrue();
    assertThat(memory.givePostponed()).hasSize(1);
    assertThat(memory.hasPostponed()).isFalse();
    memory.keep();
    assertThat(memory.givePostponed()).isEqualTo(List.of());
    assertThat(memory.give(hit("r"), true, true)).isFalse();
  }

  @Test
  void undo_pageReadAnew_givesItsRowsAgain() {
    SeenRows memory = new SeenRows(ROOM);
    memory.postpone(hit("late"), true);
    memory.give(hit("r"), false, true);
    memory.keep();
    for (int i = 0; i < 2; i++) {
      assertThat(memory.give(hit("r"), false, true)).isFalse();
      assertThat(memory.give(hit("s"), false, true)).isTrue();
      assertThat(memory.givePostponed()).hasSize(1);
      memory.undo();
    }
  }

  @Test
  void withoutRoom_rowsThatDidNotChangeComeAtTheirEntriesOnly() {
    SeenRows memory = new SeenRows(0);
    assertThat(memory.postpone(hit("quiet"), false)).isFalse();
    assertThat(memory.give(hit("quiet"), false, false)).isFalse();
    assertThat(memory.give(hit("quiet"), false, true)).isTrue();
    memory.keep();
    assertThat(memory.give(hit("quiet"), false, false)).isFalse();
    assertThat(memory.postpone(hit("changed"), true)).isTrue();
    assertThat(memory.give(hit("changed"), true, true)).isFalse();
    assertThat(memory.givePostponed()).isEqualTo(List.of());
  }

  private static PositionedHit withPayload(String row) {
    Result payload =
        Result.create(
            new Cell[] {new KeyValue(new byte[9], new byte[1], new byte[9], 5, new byte[0])});
    return new PositionedHit(
        new ValueHit(Bytes.toBytes(row), Bytes.toBytes("v"), 5, payload), Position.startOf(0));
  }

  /** As much as there is room for, each row once, and more when some are given. */
  @Test
  void postponedHits_takeTheRoomOfWhatTheyHold() {
    long empty = 2 * new KeyDigests().heapSize();
    long each = 300 + 2 + Result.getTotalSizeOfCells(withPayload("aa").hit().projected());
    for (long spare : new long[] {0, 1}) {
      SeenRows memory = new SeenRows(empty + 2 * each + spare);
      assertThat(memory.postpone(withPayload("a"), true)).isFalse();
      assertThat(memory.postpone(withPayload("a"), true)).isFalse();
      assertThat(memory.postpone(withPayload("b"), true)).isFalse();
      assertThat(memory.postpone(withPayload("c"), true)).isEqualTo(spare == 0);
      memory.undo();
      assertThat(memory.give(withPayload("a"), true, true)).isTrue();
      memory.keep();
      assertThat(memory.postpone(withPayload("d"), true)).isFalse();
      assertThat(memory.postpone(withPayload("e"), true)).isTrue();
    }
    assertThat(new KeyDigests().heapSize()).isEqualTo(1024);
  }

  @Test
  void give_withoutRoom_isRefusedBehindTheEntry_thoughThereIsRoomAgain() {
    SeenRows memory = new SeenRows(2 * new KeyDigests().heapSize() + 1);
    assertThat(memory.postpone(hit("late"), true)).isFalse();
    assertThat(memory.give(hit("quiet"), false, true)).isTrue();
    assertThat(memory.give(hit("late"), true, true)).isTrue();
    memory.keep();
    assertThat(memory.give(hit("quiet"), false, false)).isFalse();
  }

  @Test
  void passed_isNotedWhileThereIsRoom() {
    for (long most : new long[] {0, ROOM}) {
      SeenRows memory = new SeenRows(most);
      memory.passed(Bytes.toBytes("r"));
      assertThat(memory.knows(Bytes.toBytes("r"))).isEqualTo(most == ROOM);
    }
  }

  @Test
  void keyDigests_areASet() {
    KeyDigests digests = new KeyDigests();
    Set<Integer> model = new HashSet<>();
    Random random = new Random(42);
    for (int i = 0; i < 20_000; i++) {
      int key = random.nextInt(10_000);
      assertThat(digests.contains(Bytes.toBytes(key))).isEqualTo(model.contains(key));
      assertThat(digests.add(Bytes.toBytes(key))).isEqualTo(model.add(key));
    }
    assertThat(digests.heapSize()).isLessThan(50L * model.size());
  }
}
