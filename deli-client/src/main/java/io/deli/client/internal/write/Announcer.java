package io.deli.client.internal.write;

import io.deli.client.WriteRefusedException;
import io.deli.client.internal.metrics.WriteMeter;
import io.deli.entry.WriteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the entries of plans to the index tables. */
final class Announcer {
  private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);

  private final Ports ports;
  private final Identities identities;
  private final WriteMeter meter;

  Announcer(Ports ports, Identities identities, WriteMeter meter) {
    this.ports = ports;
    this.identities = identities;
    this.meter = meter;
  }

  /** Announces many plans together. */
  CompletableFuture<Announced> announce(List<Plan> plans) {
    Announced announced = new Announced(plans.size());
    IndexPuts puts = new IndexPuts();
    for (int i = 0; i < plans.size(); i++) {
      announced.done(i, plans.get(i).versions());
      puts.add(i, plans.get(i).versions());
    }
    return puts.send(ports, announced::failed).thenApply(done -> announced);
  }

  /** Writes the entries of a plan once more, as those of other writes. */
  CompletableFuture<List<IndexedVersion>> announceAgain(Plan plan) {
    meter.late();
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
    identities.withdrawals().add(taken(versions));
  }

  /** Takes those entries back that are known later. */
  void withdraw(CompletableFuture<List<IndexedVersion>> versions) {
    identities.withdrawals().add(versions.thenCompose(this::taken));
  }

  private CompletableFuture<Void> taken(List<IndexedVersion> versions) {
    return CompletableFuture.allOf(
        versions.stream()
            .map(
                version ->
                    ports
                        .index(version.index().table())
                        .send(version.deletes())
                        .whenComplete(
                            (answers, error) ->
                                LOG.debug("Took back {}: {}", version, answers, error)))
            .toArray(CompletableFuture[]::new));
  }

  /** Writes entries; completes with their versions when all are acknowledged. */
  CompletableFuture<List<IndexedVersion>> put(List<IndexedVersion> versions) {
    if (versions.size() == 1 && versions.get(0).puts().size() == 1) {
      IndexedVersion only = versions.get(0);
      return ports.index(only.index().table()).send(only.puts().get(0)).thenApply(done -> versions);
    }
    IndexPuts puts = new IndexPuts();
    puts.add(0, versions);
    Announced announced = new Announced(1);
    announced.done(0, versions);
    return puts.send(ports, announced::failed)
        .thenCompose(
            done ->
                announced.failure(0) == null
                    ? CompletableFuture.completedFuture(versions)
                    : CompletableFuture.failedFuture(announced.failure(0)));
  }
}
