package io.deli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.ValueType;
import io.deli.query.TokenRange;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.Test;

class TokenScanTest {
  private static final TokenScan ASKED =
      new TokenScan("by_user", TokenRange.only(new byte[] {1}), OptionalInt.of(3));

  private static Scan inFormat(int format) {
    Scan scan = new Scan();
    ASKED.askOf(scan);
    byte[] attribute = scan.getAttribute("deli.scan");
    attribute[0] = (byte) format;
    return scan.setAttribute("deli.scan", attribute);
  }

  @Test
  void readsBack() {
    TokenScan read = TokenScan.of(inFormat(2)).orElseThrow();
    assertThat(read.index()).isEqualTo("by_user");
    assertThat(read.newest()).hasValue(3);
    assertThat(read.tokens().first()).containsExactly(1);
    assertThat(TokenScan.of(new Scan())).isEmpty();
    Scan ofAll = new Scan();
    new TokenScan("by_user", ASKED.tokens(), OptionalInt.empty()).askOf(ofAll);
    assertThat(TokenScan.of(ofAll).orElseThrow().newest()).isEmpty();
  }

  @Test
  void tellsWhatTheClientTakesTokensOf() {
    IndexDefinition known = IndexDefinition.on("by_user", Column.parse("f:user"));
    TokenScan asked =
        new TokenScan("by_user", ASKED.tokens(), ASKED.newest(), Optional.of(known.tokenSource()));
    Scan scan = new Scan();
    asked.askOf(scan);
    TokenScan read = TokenScan.of(scan).orElseThrow();
    assertThat(read.isOf(known)).isTrue();
    assertThat(read.isOf(known.withStrategy("next").withState(IndexState.DISABLED))).isTrue();
    assertThat(read.isOf(known.withType(ValueType.LONG))).isFalse();
    assertThat(read.isOf(known.withTokenizer("prefix"))).isFalse();
    assertThat(read.isOf(known.withOption("prefix.length", "3"))).isFalse();
    assertThat(read.isOf(IndexDefinition.on("by_user", Column.parse("f:other")))).isFalse();
  }

  @Test
  void ofAClientThatDoesNotTellAnyDefinitionIsAsGood() {
    TokenScan read = TokenScan.of(inFormat(2)).orElseThrow();
    assertThat(read.tokenSource()).isEmpty();
    assertThat(read.isOf(IndexDefinition.on("by_user", Column.parse("f:other")))).isTrue();
  }

  @Test
  void otherFormatsAreRefusedAndTheOlderSideNamed() {
    assertThatThrownBy(() -> TokenScan.of(inFormat(3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("format 3", "reads format 2", "upgrade the region servers first");
    assertThatThrownBy(() -> TokenScan.of(inFormat(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("format 1", "reads format 2", "upgrade the client");
  }
}
