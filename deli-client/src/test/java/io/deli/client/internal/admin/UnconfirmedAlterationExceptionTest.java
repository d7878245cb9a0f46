package io.deli.client.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.junit.jupiter.api.Test;

class UnconfirmedAlterationExceptionTest {
  private static IOException thrown(IOException failure) {
    return UnconfirmedAlterationException.unlessRefused(TableName.valueOf("t"), failure);
  }

  @Test
  void onlyWhatTheMasterRefused_isKnownNotToBeApplied() {
    IOException refused = new DoNotRetryIOException("vetoed");
    assertThat(thrown(refused)).isSameAs(refused);
    assertThat(UnconfirmedAlterationException.isCause(refused)).isFalse();
    for (IOException late :
        new IOException[] {
          new TimeoutIOException(), new SocketTimeoutException(), new IOException("reset")
        }) {
      assertThat(UnconfirmedAlterationException.isCause(late)).isFalse();
      assertThat(thrown(late)).hasMessageContaining("deli indexes t").hasCause(late);
      assertThat(UnconfirmedAlterationException.isCause(thrown(late))).isTrue();
    }
    IOException interrupted = thrown(new InterruptedIOException());
    assertThat(interrupted).isInstanceOf(InterruptedIOException.class);
    assertThat(UnconfirmedAlterationException.isCause(interrupted)).isTrue();
  }
}
