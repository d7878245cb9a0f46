package io.deli.client.internal.read;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.Continuation;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContinuationsTest {
  private static final Fingerprint QUERY = new Fingerprint(new byte[Fingerprint.LENGTH]);

  /** Its other bytes may mean anything. */
  @Test
  void anotherFormatIsRefusedBeforeAnythingElseIsRead() {
    byte[] written = Continuations.write(QUERY, Position.startOf(0)).toBytes();
    for (byte format : new byte[] {1, 3}) {
      written[0] = format;
      Continuation other = Continuation.of(written);
      assertThatThrownBy(() -> Continuations.read(other, QUERY, List.of()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll(other.toString(), "format 2", "begin the query anew");
    }
  }
}
