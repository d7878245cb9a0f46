package io.deli.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

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
