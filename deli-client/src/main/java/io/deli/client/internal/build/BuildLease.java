package io.deli.client.internal.build;

import io.deli.client.ProgressListener;
import io.deli.client.internal.Futures;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lease that lets one process at a time build an index. A thread renews it; it expires if the
 * process dies. Two builders would do no harm but would do the work twice.
 */
final class BuildLease implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BuildLease.class);
  private static final int POLL_MILLIS = 100;

  private final BuildCheckpoint checkpoint;
  private final String owner;
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final AtomicReference<IOException> lost = new AtomicReference<>();
  private final ScheduledFuture<?> renewal;

  private BuildLease(BuildCheckpoint checkpoint, String owner, long termMillis) {
    this.checkpoint = checkpoint;
    this.owner = owner;
    long period = Math.max(1, termMillis / 6);
    renewal = clock.scheduleWithFixedDelay(this::renew, period, period, TimeUnit.MILLISECONDS);
  }

  /**
   * Acquires the lease. If another process holds one, waits until that expires.
   *
   * @param termMillis how long one lasts that is not renewed
   * @throws DoNotRetryIOException if the other one lives
   */
  static BuildLease begin(BuildCheckpoint checkpoint, long termMillis, ProgressListener progress)
      throws IOException {
    String self = ManagementFactory.getRuntimeMXBean().getName() + " " + System.nanoTime();
    Optional<BuildCheckpoint.Owner> first = checkpoint.owner();
    Optional<BuildCheckpoint.Owner> other = first;
    // It is there already if the answer to the request that put it there was lost.
    while (!name(other).equals(self)
        && (!isOver(other, termMillis) || !checkpoint.replaceOwner(name(other), self))) {
      if (other.isPresent() && isRenewed(first, other.get())) {
        throw new DoNotRetryIOException(
            "process %s is building this index. Wait until it is done, or stop it."
                .formatted(other.get().name()));
      }
      pause(progress, other, termMillis);
      other = checkpoint.owner();
    }
    return new BuildLease(checkpoint, self, termMillis);
  }

  private static String name(Optional<BuildCheckpoint.Owner> owner) {
    return owner.map(BuildCheckpoint.Owner::name).orElse(BuildCheckpoint.NOBODY);
  }

  private static boolean isOver(Optional<BuildCheckpoint.Owner> owner, long termMillis) {
    return owner.map(each -> each.now() - each.since() > termMillis).orElse(true);
  }

  /** Whether the owner has changed or renewed its lease since it was first seen. */
  private static boolean isRenewed(
      Optional<BuildCheckpoint.Owner> first, BuildCheckpoint.Owner now) {
    return first
        .map(then -> !then.name().equals(now.name()) || then.since() != now.since())
        .orElse(true);
  }

  private static void pause(
      ProgressListener progress, Optional<BuildCheckpoint.Owner> other, long termMillis)
      throws InterruptedIOException {
    if (other.isPresent()) {
      long waited = Math.min(termMillis, other.get().now() - other.get().since());
      progress.progress(
          "waiting for the build lease of %s to expire".formatted(other.get().name()),
          waited,
          termMillis);
    }
    Futures.sleep(Duration.ofMillis(POLL_MILLIS));
  }

  private void renew() {
    try {
      renewOnce();
    } catch (IOException e) {
      LOG.warn("Could not renew the build lease; retrying", e);
    }
  }

  private void renewOnce() throws IOException {
    try {
      if (!checkpoint.replaceOwner(owner, owner)) {
        lost.set(
            new DoNotRetryIOException(
                "the build lease is lost: another process has taken over this build. Leave it to that process."));
      }
    } catch (TableNotFoundException | TableNotEnabledException e) {
      // The checkpoint goes ahead of its index.
      lost.set(
          new DoNotRetryIOException(
              "the build lease is lost: the index was changed or dropped by another process", e));
    }
  }

  /** Renews the lease and throws if another process has taken over, or dropped the index. */
  void confirm() throws IOException {
    renewOnce();
    check();
  }

  /** Throws if the last renewal found that the lease is lost; does no I/O. */
  void check() throws IOException {
    IOException reason = lost.get();
    if (reason != null) {
      throw reason;
    }
  }

  /** Releases the lease, so that another process can acquire it at once. */
  @Override
  public void close() throws IOException {
    renewal.cancel(false);
    clock.shutdown();
    try {
      if (!clock.awaitTermination(1, TimeUnit.MINUTES)) {
        LOG.warn("The renewal of a build lease hangs");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      if (!checkpoint.replaceOwner(owner, BuildCheckpoint.NOBODY)) {
        LOG.debug("{} no longer held the build lease", owner);
      }
    } catch (TableNotFoundException | TableNotEnabledException e) {
      LOG.debug("The checkpoint table is already dropped", e);
    }
  }
}
