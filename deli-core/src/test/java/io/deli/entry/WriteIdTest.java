package io.deli.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;

class WriteIdTest {
  @Property
  void readsBackAndTellsWhen(@ForAll long writtenAt, @ForAll long random) {
    WriteId id = WriteId.of(writtenAt, random);
    assertThat(WriteId.from(id.toBytes())).isEqualTo(id).hasSameHashCodeAs(id);
    assertThat(id.writtenAt()).hasValue(writtenAt);
    assertThat(id.isNone()).isFalse();
  }

  @Property
  void differsByRandomPart(@ForAll long writtenAt, @ForAll long random) {
    assertThat(WriteId.of(writtenAt, random)).isNotEqualTo(WriteId.of(writtenAt, random + 1));
  }

  @Example
  void aCellCarriesItAsATag() {
    WriteId id = WriteId.of(1, 2);
    KeyValue cell = new KeyValue(new byte[] {'k'}, new byte[] {'f'}, new byte[0], 1, new byte[0]);
    assertThat(WriteId.of(cell)).isSameAs(WriteId.NONE);
    Tag tag = new ArrayBackedTag(WriteId.TAG_TYPE, id.toBytes());
    assertThat(WriteId.of(PrivateCellUtil.createCell(cell, List.of(tag)))).isEqualTo(id);
    Entry entry = new Entry(new byte[] {'v'}, new byte[] {'k'}, 3, id);
    assertThat(entry.writtenAt()).isEqualTo(1);
    assertThat(entry)
        .hasToString("v -> k @3 #" + "\\x00".repeat(7) + "\\x01" + "\\x00".repeat(7) + "\\x02");
    Entry without = new Entry(new byte[] {'v'}, new byte[] {'k'}, 3, WriteId.NONE);
    assertThat(without.writtenAt()).isEqualTo(3);
    assertThat(without).hasToString("v -> k @3").isNotEqualTo(entry);
  }

  /** A clock a year ahead is none, but loads of files write three days ahead. */
  @Example
  void anEntryIsSettledWhenItsWriterHasEnded() {
    long year = Duration.ofDays(365).toMillis();
    long load = Duration.ofDays(4).toMillis();
    for (long ahead : new long[] {-11, year, Long.MAX_VALUE - 1_000, Long.MIN_VALUE}) {
      assertThat(writtenAt(1_000 + ahead).isSettled(1_000, 10)).as("%d", ahead).isTrue();
    }
    for (long ahead : new long[] {-10, 0, load}) {
      assertThat(writtenAt(1_000 + ahead).isSettled(1_000, 10)).as("%d", ahead).isFalse();
    }
  }

  private static Entry writtenAt(long millis) {
    return new Entry(new byte[] {'v'}, new byte[] {'k'}, 3, WriteId.of(millis, 1));
  }

  @Example
  void noneIsEmpty() {
    assertThat(WriteId.from(new byte[0])).isSameAs(WriteId.NONE);
    assertThat(WriteId.NONE.writtenAt()).isEmpty();
  }

  @Example
  void refusesOtherLengths() {
    assertThatThrownBy(() -> WriteId.from(new byte[15]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("16 bytes, not 15", "upgrade DELI");
  }
}
