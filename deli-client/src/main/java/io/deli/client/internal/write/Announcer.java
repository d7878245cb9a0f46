package io.deli.client.internal.write;

import io.deli.client.WriteRefusedException;
import io.deli.entry.WriteId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the entries of plans to the index tables. */
final class Announcer {
  private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);

  /** Plans of a batch that read the base table at a time. */
  private static final int READERS = 16;

  private final Ports ports;
  private final Identities identities;
  private final Superseded superseded;

  Announcer(Ports ports, Identities identities) {
    this.ports = ports;
    this.identities = identities;
    this.superseded = new Superseded(ports, identities);
  }

  /** Announces one plan; completes with all versions announced, acknowledged by their indexes. */
  CompletableFuture<List<IndexedVersion>> announce(Plan plan) {
    if (plan.exposures().isEmpty()) {
      return put(plan.versions());
    }
    CompletableFuture<List<IndexedVersion>> all =
        CompletableFuture.completedFuture(plan.versions());
    for (Exposure exposure : plan.exposures()) {
      all = all.thenCombine(superseded.versions(exposure), Announcer::both);
    }
    return all.thenCompose(this::put);
  }

  /** Announces many plans together; one answer each, in their order. */
  List<CompletableFuture<List<IndexedVersion>>> announce(List<Plan> plans) {
    Map<TableName, List<Call>> together = new HashMap<>();
    List<CompletableFuture<List<IndexedVersion>>> answers = new ArrayList<>(plans.size());
    CompletableFuture<?>[] readers = new CompletableFuture<?>[READERS];
    Arrays.fill(readers, CompletableFuture.completedFuture(null));
    for (Plan plan : plans) {
      if (plan.exposures().isEmpty()) {
        answers.add(collect(plan.versions(), together));
      } else {
        int reader = answers.size() % READERS;
        CompletableFuture<List<IndexedVersion>> answer =
            readers[reader].handle((done, error) -> plan).thenCompose(this::announce);
        readers[reader] = answer;
        answers.add(answer);
      }
    }
    together.forEach(this::send);
    return answers;
  }

  /** Writes the entries of a plan once more, as those of other writes. */
  CompletableFuture<List<IndexedVersion>> announceAgain(Plan plan) {
    WriteId id = identities.fresh();
    List<IndexedVersion> versions = new ArrayList<>(plan.versions().size());
    try {
      for (IndexedVersion version : plan.versions()) {
        versions.add(version.under(id));
      }
    } catch (WriteRefusedException e) {
      return CompletableFuture.failedFuture(e);
    }
    return put(versions);
  }

  /** Takes entries back that nothing stands behind. Nobody waits; repair finds what stays. */
  void withdraw(List<IndexedVersion> versions) {
    for (IndexedVersion version : versions) {
      Port port = ports.index(version.index().table());
      for (CompletableFuture<Object> gone : port.send(version.deletes())) {
        Answers.then(
            gone,
            (done, error) -> {
              if (error != null) {
                LOG.debug("Entries of {} stay for repair", version, error);
              }
            });
      }
    }
  }

  private CompletableFuture<List<IndexedVersion>> put(List<IndexedVersion> versions) {
    if (versions.size() == 1 && versions.get(0).puts().size() == 1) {
      IndexedVersion only = versions.get(0);
      return ports.index(only.index().table()).send(only.puts().get(0)).thenApply(done -> versions);
    }
    Map<TableName, List<Call>> together = new HashMap<>();
    CompletableFuture<List<IndexedVersion>> answer = collect(versions, together);
    together.forEach(this::send);
    return answer;
  }

  private static CompletableFuture<List<IndexedVersion>> collect(
      List<IndexedVersion> versions, Map<TableName, List<Call>> together) {
    List<CompletableFuture<Object>> puts = new ArrayList<>(versions.size());
    for (IndexedVersion version : versions) {
      List<Call> calls =
          together.computeIfAbsent(version.index().table(), table -> new ArrayList<>());
      for (Put put : version.puts()) {
        Call call = new Call(put);
        calls.add(call);
        puts.add(call.answer());
      }
    }
    return puts.isEmpty()
        ? CompletableFuture.completedFuture(versions)
        : CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new))
            .thenApply(done -> versions);
  }

  private void send(TableName table, List<Call> calls) {
    List<Row> puts = calls.stream().map(Call::operation).toList();
    Call.link(ports.index(table).send(puts), calls);
  }

  private static List<IndexedVersion> both(List<IndexedVersion> a, List<IndexedVersion> b) {
    List<IndexedVersion> both = new ArrayList<>(a);
    both.addAll(b);
    return both;
  }
}
