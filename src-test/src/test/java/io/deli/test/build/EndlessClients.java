package io.deli.test.build;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Clients that do the same again and again, each by a thread of its own, until they are ended. */
abstract class EndlessClients implements AutoCloseable {
  private final ExecutorService threads;
  private final List<CompletableFuture<Void>> underWay = new ArrayList<>();
  private volatile boolean ended;

  EndlessClients(int clients) {
    threads = Executors.newFixedThreadPool(clients);
  }

  void start(Runnable client) {
    underWay.add(CompletableFuture.runAsync(client, threads));
  }

  boolean isEnded() {
    return ended;
  }

  /** Has them end, and fails if one of them did. */
  void end() throws Exception {
    ended = true;
    for (CompletableFuture<Void> each : underWay) {
      each.get(60, TimeUnit.SECONDS);
    }
  }

  @Override
  public void close() {
    ended = true;
    threads.shutdown();
  }
}
