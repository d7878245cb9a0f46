package io.deli.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
