package io.deli.coprocessor.internal.servermaintained;

import static io.deli.coprocessor.internal.servermaintained.LockedBatches.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.strategy.Index;
import io.deli.token.Tokenizer;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class MutationEntriesTest {
  private static final IndexDefinition BY_Q = IndexDefinition.on("by_q", Column.parse("f:q"));

  /** A user's tokenizer that has a bug. */
  public static final class Failing implements Tokenizer {
    @Override
    public List<byte[]> tokens(byte[] value) {
      throw new IllegalStateException("a bug");
    }
  }

  private static ServerMaintainedIndex index(IndexDefinition definition) {
    return ServerMaintainedIndex.of(Index.of(TableName.valueOf("t"), definition));
  }

  private static MutationEntries entries(boolean replicated, ServerMaintainedIndex... indexes)
      throws DoNotRetryIOException {
    MutationEntries entries = new MutationEntries(put("r", "q", 1), 0, replicated);
    entries.require(List.of(indexes), WriteId.NONE);
    assertThat(entries.cover(List.of(indexes))).isTrue();
    return entries;
  }

  @Test
  void aValueThatAnIndexDoesNotTake_isRefusedUnlessReplicated() throws Exception {
    ServerMaintainedIndex text = index(BY_Q);
    ServerMaintainedIndex number = index(BY_Q.withType(ValueType.LONG));
    assertThatThrownBy(() -> entries(false, text, number))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("not a valid LONG");
    MutationEntries entries = entries(true, text, number);
    assertThat(entries.puts()).hasSize(1);
    assertThat(entries.under(WriteId.of(1, 2)).puts()).hasSize(1);
  }

  /** It may be mended, and nobody knows the entries until then. */
  @Test
  void aReplicatedValue_atWhichATokenizerFails_isRefused() {
    ServerMaintainedIndex failing = index(BY_Q.withTokenizer(Failing.class.getName()));
    assertThatThrownBy(() -> entries(true, failing)).hasMessageContaining("a bug");
  }
}
