package io.deli.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.hadoop.hbase.util.Bytes;

class ValueTypeTest {
  /** Three bytes are no number of any encoding. */
  @Property
  void aType_takesItsEncodingOnly(@ForAll ValueType type) {
    assertThat(type.takes(type.parse(type == ValueType.POINT ? "1,2" : "83"))).isTrue();
    assertThat(type.takes(new byte[3])).isEqualTo(!type.isNumeric());
  }

  /** The time that a decimal takes grows with the square of its length. */
  @Example
  void aNumber_isOfLimitedLength_andShownInPart() {
    byte[] decimal = new byte[1 << 12];
    decimal[Bytes.SIZEOF_INT] = 1;
    assertThat(ValueType.DECIMAL.takes(decimal)).isTrue();
    byte[] longer = new byte[1 << 20];
    longer[Bytes.SIZEOF_INT] = 1;
    assertThat(ValueType.DECIMAL.takes(longer)).isFalse();
    for (ValueType type : ValueType.values()) {
      if (type.isNumeric() && type != ValueType.POINT) {
        assertThat(catchThrowable(() -> type.ordered(longer)))
            .isInstanceOf(InvalidIndexException.class)
            .hasMessageContainingAll("1048576 bytes", type.name())
            .message()
            .hasSizeLessThan(1_000);
      }
    }
  }

  @Property
  void bytes_areThoseOfTheirText_andOfTheLettersInIt(@ForAll byte[] bytes) {
    assertThat(ValueType.BYTES.parse(ValueType.BYTES.format(bytes))).isEqualTo(bytes);
    assertThat(Column.parse("d:größe€" + Bytes.toStringBinary(bytes)).qualifier())
        .isEqualTo(Bytes.add(Bytes.toBytes("größe€"), bytes));
  }
}
