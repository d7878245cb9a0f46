package io.deli.client.internal.write;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;

/** The index Puts of several plans, by index table. */
final class IndexPuts {
  private final Map<TableName, Share> shares = new HashMap<>();

  /** What goes to one table, and for which plan. */
  private record Share(List<Put> puts, List<Integer> owners) {}

  void add(int owner, List<IndexedVersion> versions) {
    for (IndexedVersion version : versions) {
      Share share =
          shares.computeIfAbsent(
              version.index().table(), table -> new Share(new ArrayList<>(), new ArrayList<>()));
      for (Put put : version.puts()) {
        share.puts().add(put);
        share.owners().add(owner);
      }
    }
  }

  /** Sends them all; completes when all have been answered. */
  CompletableFuture<Void> send(Ports ports, BiConsumer<Integer, Throwable> onFailure) {
    List<CompletableFuture<Void>> sent = new ArrayList<>(shares.size());
    shares.forEach(
        (table, share) ->
            sent.add(
                ports
                    .index(table)
                    .send(share.puts())
                    .thenAccept(answers -> report(share, answers, onFailure))));
    return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new));
  }

  private static void report(
      Share share, Object[] answers, BiConsumer<Integer, Throwable> onFailure) {
    for (int i = 0; i < answers.length; i++) {
      if (answers[i] instanceof Throwable error) {
        onFailure.accept(share.owners().get(i), error);
      }
    }
  }
}
