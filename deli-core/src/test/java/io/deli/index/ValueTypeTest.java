package io.deli.index;

import static org.assertj.core.api.Assertions.assertThat;

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

  @Property
  void bytes_areThoseOfTheirText_andOfTheLettersInIt(@ForAll byte[] bytes) {
    assertThat(ValueType.BYTES.parse(ValueType.BYTES.format(bytes))).isEqualTo(bytes);
    assertThat(Column.parse("d:größe€" + Bytes.toStringBinary(bytes)).qualifier())
        .isEqualTo(Bytes.add(Bytes.toBytes("größe€"), bytes));
  }
}
