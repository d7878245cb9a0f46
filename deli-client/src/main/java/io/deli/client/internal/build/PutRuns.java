package io.deli.client.internal.build;

import io.deli.client.EntryWriter;

/** Of entries that are put. */
record PutRuns(Site site, Effort effort) implements EntryWriter.Runs {
  @Override
  public EntryWriter.Run begin() {
    return new PutRun(site.connection(), site.index(), effort);
  }

  @Override
  public void close() {
    // Nothing is kept.
  }
}
