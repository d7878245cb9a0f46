package io.deli.simulation;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;

/**
 * Carries requests to servers and their answers back as HBase's client does: until a time-out it
 * asks again, after a pause, where a server is not there, refuses for the moment or does not
 * answer. On the way requests and answers are delayed or lost, so that one may be carried out
 * several times, in any order, and when nobody waits for it any more.
 */
class Courier {
  /** HBase's pause before the second attempt; the settings of the clients say so, too. */
  static final long PAUSE_MILLIS = 100;

  static final long RPC_TIMEOUT_MILLIS = 250;
  private static final long USUAL_MICROS = 2_000;

  private final World world;
  private final int trouble;

  /**
   * @param trouble one request in so many meets with trouble; 0 for none
   */
  Courier(World world, int trouble) {
    this.world = world;
    this.trouble = trouble;
  }

  /** What a request wants. */
  interface Service<T> {
    /** Milliseconds for which the server has the request wait. */
    default long waitMillis() {
      return 0;
    }

    /** Carries it out, at one moment. */
    T serve() throws IOException;
  }

  /** Sends a request. */
  <T> CompletableFuture<T> send(
      World.Node from,
      World.Node to,
      long timeoutMillis,
      Supplier<String> wording,
      Service<T> service) {
    Exchange<T> exchange = new Exchange<>(from, to, wording, service);
    world.afterMillis(
        timeoutMillis,
        from,
        () -> {
          if (!exchange.answer.isDone()) {
            exchange.fail(new RetriesExhaustedException("no answer from " + to));
          }
        });
    exchange.attempt(0);
    return exchange.answer;
  }

  enum Fate {
    USUAL,
    SLOW,
    LATE,
    LOST,
    UNANSWERED
  }

  /** What becomes of the next request. */
  Fate fate() {
    return trouble > 0 && world.chance().oneIn(trouble)
        ? Fate.values()[1 + (int) world.chance().below(Fate.values().length - 1)]
        : Fate.USUAL;
  }

  /** For how long a message is under way. */
  long micros(Fate fate) {
    long usual = 100 + world.chance().below(USUAL_MICROS);
    return switch (fate) {
      case SLOW -> usual + 1_000 * world.chance().below(RPC_TIMEOUT_MILLIS);
      // Not beyond half of the grace, in which the writer of an entry is given up.
      case LATE -> usual + 1_000 * (RPC_TIMEOUT_MILLIS + world.chance().below(700));
      default -> usual;
    };
  }

  private final class Exchange<T> {
    private final World.Node from;
    private final int life;
    private final World.Node to;
    private final Supplier<String> wording;
    private final Service<T> service;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private int attempts;

    Exchange(World.Node from, World.Node to, Supplier<String> wording, Service<T> service) {
      this.from = from;
      this.life = from.life();
      this.to = to;
      this.wording = wording;
      this.service = service;
    }

    void attempt(int number) {
      if (answer.isDone()) {
        return;
      }
      Fate fate = fate();
      world.tell(
          from,
          () ->
              "sends %s: %s%s%s"
                  .formatted(
                      to,
                      wording.get(),
                      number == 0 ? "" : ", attempt " + (number + 1),
                      fate == Fate.USUAL ? "" : ", " + fate));
      if (fate == Fate.LATE) {
        // Behind other attempts.
        world.afterMillis(micros(fate) / 1_000, to, () -> arrived(number, fate));
      } else if (fate != Fate.LOST) {
        world.after(micros(fate), to, () -> arrived(number, fate));
      }
      world.afterMillis(RPC_TIMEOUT_MILLIS, from, () -> again(number));
    }

    /** Once for each attempt, be it that it failed or that nobody answered. */
    private void again(int number) {
      if (number == attempts && !answer.isDone()) {
        attempts++;
        world.afterMillis(
            PAUSE_MILLIS * (1L << Math.min(number, 3)), from, () -> attempt(number + 1));
      }
    }

    private void arrived(int number, Fate fate) {
      long wait = service.waitMillis();
      if (wait > 0) {
        world.afterMillis(wait, to, () -> carryOut(number, fate));
      } else {
        carryOut(number, fate);
      }
    }

    private void carryOut(int number, Fate fate) {
      T result;
      try {
        result = service.serve();
      } catch (IOException e) {
        world.tell(to, () -> "refuses %s's %s: %s".formatted(from, wording.get(), e.getMessage()));
        returned(number, fate, () -> failed(number, e));
        return;
      }
      world.tell(
          to, () -> "carries out %s's %s%s".formatted(from, wording.get(), answered(result)));
      returned(number, fate, () -> answer.complete(result));
    }

    private String answered(T result) {
      return result == null ? "" : " -> " + Wording.of(result);
    }

    /** An answer that comes after its time-out is nobody's. */
    private void returned(int number, Fate fate, Runnable taken) {
      if (fate != Fate.UNANSWERED) {
        world.answer(
            micros(Fate.USUAL),
            from,
            life,
            () -> {
              if (number == attempts) {
                taken.run();
              }
            });
      }
    }

    private void failed(int number, IOException error) {
      if (error instanceof DoNotRetryIOException) {
        fail(error);
      } else {
        again(number);
      }
    }

    void fail(IOException error) {
      if (answer.completeExceptionally(error)) {
        world.tell(from, () -> "gives up %s: %s".formatted(wording.get(), error.getMessage()));
      }
    }
  }

  /** What a server says whose region is not open. */
  static NotServingRegionException notServing(Object region) {
    return new NotServingRegionException(region + " is not open");
  }
}
