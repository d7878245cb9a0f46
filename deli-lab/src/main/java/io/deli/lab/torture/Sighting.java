package io.deli.lab.torture;

/** A version that a read returned. */
record Sighting(String row, String value, long timestamp) {
  @Override
  public String toString() {
    return "%s = '%s' @%d".formatted(row, value, timestamp);
  }
}
