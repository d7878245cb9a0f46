package io.deli.client.internal.write;

import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/** Bounds the operations that blocking callers of one connection have under way. */
public final class Room {
  private final int places;
  private final Semaphore free;

  public Room(int places) {
    this.places = places;
    this.free = new Semaphore(places);
  }

  /** Operations that one caller sends together at most, so that several callers find room. */
  public int share() {
    return Math.max(1, places / 4);
  }

  /** Waits for room. */
  void enter(int operations) throws InterruptedIOException {
    try {
      free.acquire(operations);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while waiting for room to write");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  /** Gives the places back when the answer comes. */
  void leaveWith(CompletableFuture<?> answer, int operations) {
    Answers.then(answer, (result, error) -> free.release(operations));
  }
}
