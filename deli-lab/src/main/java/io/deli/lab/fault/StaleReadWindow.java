package io.deli.lab.fault;

import io.deli.lab.judge.Span;

/**
 * A server that stood still, may have been given up meanwhile, and went on: until it learns that it
 * was, it answers Gets and scans by what it knew, though others have its regions and took writes.
 * HBase keeps such a server from writing, but not from answering.
 *
 * @param since when it came to a stand; what was acknowledged before, it knows
 * @param from when it went on
 * @param until when it was certain to have learned, and to have ended itself
 */
public record StaleReadWindow(long since, long from, long until) {
  /** The moments whose state may explain an answer: also earlier ones if it may be of this. */
  public Span explaining(Span read) {
    boolean possible = from <= read.ended() && read.begun() <= until;
    return possible && since < read.begun() ? new Span(since, read.ended()) : read;
  }
}
