package io.deli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.ValueType;
import io.deli.query.TokenRange;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class TokenScanTest {
  private static final TokenScan ASKED =
      new TokenScan(
          "by_user", TokenRange.only(new byte[] {1}), OptionalInt.of(3), Optional.empty());

  private static Scan asking(TokenScan... anyOf) {
    Scan scan = new Scan();
    TokenScan.ask(List.of(scan), List.of(anyOf));
    return scan;
  }

  private static TokenScan only(Scan scan) {
    List<TokenScan> anyOf = TokenScan.of(scan);
    assertThat(anyOf).hasSize(1);
    return anyOf.get(0);
  }

  private static Scan inFormat(int format) {
    Scan scan = asking(ASKED);
    byte[] attribute = scan.getAttribute("deli.scan");
    attribute[0] = (byte) format;
    return scan.setAttribute("deli.scan", attribute);
  }

  @Test
  void readsBack() {
    TokenScan read = only(inFormat(2));
    assertThat(read.index()).isEqualTo("by_user");
    assertThat(read.newest()).hasValue(3);
    assertThat(read.tokens().first()).containsExactly(1);
    assertThat(TokenScan.of(new Scan())).isEmpty();
    Scan ofAll =
        asking(new TokenScan("by_user", ASKED.tokens(), OptionalInt.empty(), Optional.empty()));
    assertThat(only(ofAll).newest()).isEmpty();
  }

  @Test
  void severalAreReadBackInTheirOrder() {
    TokenScan other =
        new TokenScan(
            "by_town", TokenRange.only(new byte[] {2}), OptionalInt.empty(), Optional.of("f:t"));
    List<TokenScan> read = TokenScan.of(asking(ASKED, other));
    assertThat(read).extracting(TokenScan::index).containsExactly("by_user", "by_town");
    assertThat(read.get(1).tokens().first()).containsExactly(2);
    assertThat(read)
        .extracting(TokenScan::tokenSource)
        .containsExactly(Optional.empty(), Optional.of("f:t"));
  }

  @Test
  void moreThanAClientSendsAreRefused() {
    List<TokenScan> most = Collections.nCopies(TokenScan.MOST_TOGETHER, ASKED);
    Scan scan = new Scan();
    TokenScan.ask(List.of(scan), most);
    assertThat(TokenScan.of(scan)).hasSameSizeAs(most);
    TokenScan.ask(List.of(scan), Collections.nCopies(TokenScan.MOST_TOGETHER + 1, ASKED));
    assertThatThrownBy(() -> TokenScan.of(scan))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more than 16 conditions");
  }

  @Test
  void tellsWhatTheClientTakesTokensOf() {
    IndexDefinition known = IndexDefinition.on("by_user", Column.parse("f:user"));
    TokenScan asked =
        new TokenScan("by_user", ASKED.tokens(), ASKED.newest(), Optional.of(known.tokenSource()));
    TokenScan read = only(asking(asked));
    assertThat(read.isOf(known.tokenSource())).isTrue();
    assertThat(read.isOf(known.withStrategy("next").withState(IndexState.DISABLED).tokenSource()))
        .isTrue();
    assertThat(read.isOf(known.withType(ValueType.LONG).tokenSource())).isFalse();
    assertThat(read.isOf(known.withTokenizer("prefix").tokenSource())).isFalse();
    assertThat(read.isOf(known.withOption("prefix.length", "3").tokenSource())).isFalse();
    assertThat(read.isOf(IndexDefinition.on("by_user", Column.parse("f:other")).tokenSource()))
        .isFalse();
  }

  @Test
  void ofAClientThatDoesNotTellAnyDefinitionIsAsGood() {
    Scan ofOldest = inFormat(2);
    byte[] bytes = ofOldest.getAttribute("deli.scan");
    ofOldest.setAttribute("deli.scan", Arrays.copyOf(bytes, bytes.length - Integer.BYTES));
    TokenScan read = only(ofOldest);
    assertThat(read.newest()).hasValue(3);
    assertThat(read.tokenSource()).isEmpty();
    assertThat(read.isOf(IndexDefinition.on("by_user", Column.parse("f:other")).tokenSource()))
        .isTrue();
  }

  @Test
  void otherFormatsAreRefusedAndTheOlderSideNamed() {
    assertThatThrownBy(() -> TokenScan.of(inFormat(4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "format 4", "reads formats 2 and 3", "upgrade the region servers first");
    assertThatThrownBy(() -> TokenScan.of(inFormat(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("format 1", "reads formats 2 and 3", "upgrade the client");
  }

  @Test
  void whatEndsTooEarlyIsRefusedWithThatReason() {
    Scan whole = inFormat(2);
    byte[] bytes = whole.getAttribute("deli.scan");
    // Without a token source, which the oldest clients do not send, it is one of theirs.
    int ofOldest = bytes.length - Integer.BYTES;
    for (int length = 0; length < bytes.length; length++) {
      if (length != ofOldest) {
        whole.setAttribute("deli.scan", Arrays.copyOf(bytes, length));
        assertThatThrownBy(() -> TokenScan.of(whole))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageMatching("not a value scan: (it ends too early|no token of .* bytes)");
      }
    }
  }

  @Test
  void aTokenSourceOfANegativeLengthIsRefused() {
    Scan scan = inFormat(2);
    byte[] bytes = scan.getAttribute("deli.scan");
    Bytes.putInt(bytes, bytes.length - Integer.BYTES, -1);
    scan.setAttribute("deli.scan", bytes);
    assertThatThrownBy(() -> TokenScan.of(scan)).hasMessage("not a value scan: it ends too early");
  }
}
