package io.deli.coprocessor.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.index.Column;
import java.util.List;
import org.junit.jupiter.api.Test;

class FamilyIndexesTest {
  @Test
  void aColumn_isUnresolved_whereAnIndexOfItIs_orAnyMayBe() {
    Column column = Column.parse("f:q");
    Column other = Column.parse("f:o");
    FamilyIndexes one = new FamilyIndexes(List.of(), List.of(column), false);
    assertThat(one.hasUnresolved(column)).isTrue();
    assertThat(one.hasUnresolved(other)).isFalse();
    assertThat(new FamilyIndexes(List.of(), List.of(), true).hasUnresolved(other)).isTrue();
  }
}
