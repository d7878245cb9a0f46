package io.deli.client.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.strategy.IndexDefinitions;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class DefinitionCacheTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final TableDescriptor DESCRIPTOR =
      TableDescriptorBuilder.newBuilder(TABLE).build();

  private final AtomicLong millis = new AtomicLong();
  private final Deque<CompletableFuture<TableDescriptor>> asked = new ArrayDeque<>();
  private final DefinitionCache cache =
      new DefinitionCache(this::ask, 1_000, () -> TimeUnit.MILLISECONDS.toNanos(millis.get()));

  private CompletableFuture<TableDescriptor> ask(TableName table) {
    CompletableFuture<TableDescriptor> answer = new CompletableFuture<>();
    asked.add(answer);
    return answer;
  }

  private KnownIndexes known() {
    CompletableFuture<KnownIndexes> first = cache.get(TABLE);
    asked.remove().complete(DESCRIPTOR);
    return first.join();
  }

  /** Known for so long that they are read ahead of time. */
  private KnownIndexes renewed() {
    KnownIndexes known = known();
    millis.set(600);
    assertThat(cache.get(TABLE).join()).isSameAs(known);
    assertThat(asked).as("renewed in the background").hasSize(1);
    return known;
  }

  @Test
  void asksOnceForManyAndRemembers() {
    CompletableFuture<KnownIndexes> first = cache.get(TABLE);
    CompletableFuture<KnownIndexes> second = cache.get(TABLE);
    assertThat(asked).hasSize(1);
    asked.remove().complete(DESCRIPTOR);
    assertThat(first.join()).isSameAs(second.join());
    assertThat(cache.get(TABLE).join()).isSameAs(first.join());
    assertThat(asked).isEmpty();
  }

  @Test
  void readsAheadOfTimeAndGivesOutNothingOlder() {
    KnownIndexes old = renewed();
    millis.set(1_000);
    CompletableFuture<KnownIndexes> next = cache.get(TABLE);
    assertThat(next).isNotDone();
    asked.remove().complete(DESCRIPTOR);
    assertThat(next.join()).isNotSameAs(old);
  }

  private KnownIndexes readAgain(TableDescriptor table) {
    millis.addAndGet(2_000);
    CompletableFuture<KnownIndexes> next = cache.get(TABLE);
    asked.remove().complete(table);
    return next.join();
  }

  private static TableDescriptor with(TableDescriptor table, IndexDefinition definition) {
    return IndexDefinitions.put(TableDescriptorBuilder.newBuilder(table), definition).build();
  }

  @Test
  void onlyDefinitionsThatHaveChangedAreResolvedAgain() {
    IndexDefinition definition = IndexDefinition.on("i", Column.parse("f:a"));
    TableDescriptor first = with(DESCRIPTOR, definition);
    KnownIndexes known = readAgain(first);
    TableDescriptor altered =
        TableDescriptorBuilder.newBuilder(first)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build();
    KnownIndexes later = readAgain(altered);
    assertThat(later.descriptor()).isSameAs(altered);
    assertThat(later.indexes()).isSameAs(known.indexes());
    assertThat(later.asOf()).isGreaterThan(known.asOf());
    IndexDefinition disabled = definition.withState(IndexState.DISABLED);
    assertThat(readAgain(with(first, disabled)).indexes().get(0).definition()).isEqualTo(disabled);
  }

  /** What is under way may have begun ahead of the sign. */
  @Test
  void allWhoSawASignShareTheNextReading() {
    CompletableFuture<KnownIndexes> early = cache.get(TABLE);
    CompletableFuture<KnownIndexes> first = cache.refresh(TABLE);
    CompletableFuture<KnownIndexes> second = cache.refresh(TABLE);
    assertThat(asked).hasSize(1);
    asked.remove().completeExceptionally(new IOException("no master"));
    assertThat(early).isCompletedExceptionally();
    assertThat(first).isNotDone();
    assertThat(asked).hasSize(1);
    CompletableFuture<KnownIndexes> third = cache.refresh(TABLE);
    asked.remove().complete(DESCRIPTOR);
    assertThat(first.join()).isSameAs(second.join());
    assertThat(third).isNotDone();
    asked.remove().complete(DESCRIPTOR);
    assertThat(third.join()).isNotSameAs(first.join());
    assertThat(cache.get(TABLE).join()).isSameAs(third.join());
    assertThat(asked).isEmpty();
  }

  /** One that is done is remembered a moment later. */
  @Test
  @SuppressWarnings("ThreadPriorityCheck") // nothing tells when a thread waits for a monitor
  void aSignAsAReadingEndsBeginsAnother() throws InterruptedException {
    DefinitionCache.CachedDefinitions known = cache.new CachedDefinitions(TABLE);
    CompletableFuture<KnownIndexes> early = known.get();
    CompletableFuture<TableDescriptor> answer = asked.remove();
    Thread end = new Thread(() -> answer.complete(DESCRIPTOR));
    CompletableFuture<KnownIndexes> later;
    synchronized (known) {
      end.start();
      while (end.getState() != Thread.State.BLOCKED) {
        assertThat(end.isAlive()).isTrue();
        Thread.yield();
      }
      later = known.readAnew();
    }
    end.join();
    assertThat(early).isCompleted();
    assertThat(later).isNotNull().isNotDone();
    asked.remove().complete(DESCRIPTOR);
    assertThat(later).isCompleted();
    assertThat(asked).isEmpty();
  }

  @Test
  void theLastKnownServeOnForTheirLifeAndNoLonger() {
    KnownIndexes old = renewed();
    asked.remove().completeExceptionally(new IOException("no master"));
    millis.set(999);
    assertThat(cache.get(TABLE).join()).isSameAs(old);
    assertThat(asked).as("asked again").hasSize(1);
    millis.set(1_000);
    CompletableFuture<KnownIndexes> next = cache.get(TABLE);
    asked.remove().completeExceptionally(new IOException("no master"));
    assertThatThrownBy(next::get)
        .hasMessageContainingAll("of table t, read 1000 ms ago", "no master");
    CompletableFuture<KnownIndexes> again = cache.get(TABLE);
    asked.remove().complete(DESCRIPTOR);
    assertThat(again.join()).isNotSameAs(old);
  }

  @Test
  void whatTookALifeToReadIsTooOld() {
    renewed();
    CompletableFuture<TableDescriptor> slow = asked.remove();
    millis.set(1_600);
    CompletableFuture<KnownIndexes> next = cache.get(TABLE);
    slow.complete(DESCRIPTOR);
    assertThat(next).isNotDone();
    asked.remove().complete(DESCRIPTOR);
    assertThat(next.join().asOf()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1_600));
  }

  @Test
  void aTableThatIsGoneIsNotRemembered() {
    KnownIndexes old = known();
    millis.set(2_000);
    CompletableFuture<KnownIndexes> next = cache.get(TABLE);
    asked.remove().completeExceptionally(new DoNotRetryIOException("no such table"));
    assertThat(next).isCompletedExceptionally();
    CompletableFuture<KnownIndexes> again = cache.get(TABLE);
    asked.remove().complete(DESCRIPTOR);
    assertThat(again.join()).isNotSameAs(old);
  }
}
