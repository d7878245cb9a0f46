package io.deli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.query.TokenRange;
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
