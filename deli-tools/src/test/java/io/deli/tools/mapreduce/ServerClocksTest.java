package io.deli.tools.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.tools.mapreduce.ServerClocks.Known;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.Test;

class ServerClocksTest {
  private static final ServerName SLOW = ServerName.valueOf("slow", 1, 1);
  private static final ServerName FAST = ServerName.valueOf("fast", 1, 1);

  private static Known known(long slow, long fast) {
    return new Known(Map.of(SLOW, slow, FAST, fast), List.of());
  }

  /** The second of a server is the first that it has begun since. */
  @Test
  void twoReportsOfEachServerAreAwaited() throws IOException {
    Iterator<Known> master =
        List.of(
                known(10, 20),
                known(11, 20),
                known(12, 21),
                known(13, 21),
                known(14, 22),
                known(15, 23))
            .iterator();
    assertThat(ServerClocks.newest(master::next)).isEqualTo(22);
    assertThat(master.next()).isEqualTo(known(15, 23));
  }

  @Test
  void aServerThatTheMasterDoesNotKnowYetIsAwaitedUnlessItDied() throws IOException {
    Known other = new Known(Map.of(SLOW, 11L), List.of());
    Iterator<Known> master =
        List.of(
                known(10, 20),
                other,
                known(12, 21),
                new Known(Map.of(SLOW, 13L), List.of(FAST)),
                other)
            .iterator();
    assertThat(ServerClocks.newest(master::next)).isEqualTo(21);
    assertThat(master.next()).isEqualTo(other);
  }

  @Test
  void aServerThatDoesNotReportIsNotAwaitedForEver() {
    AtomicInteger polls = new AtomicInteger();
    assertThatThrownBy(() -> ServerClocks.newest(() -> known(polls.incrementAndGet(), 20)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(FAST.toString());
    assertThat(polls).hasValue(1 + ServerClocks.MOST_POLLS);
  }

  @Test
  void withoutServersThereIsNoTime() {
    assertThatThrownBy(() -> ServerClocks.newest(() -> new Known(Map.of(), List.of())))
        .isInstanceOf(IOException.class)
        .hasMessage("no region server is alive");
  }
}
