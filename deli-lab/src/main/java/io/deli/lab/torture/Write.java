package io.deli.lab.torture;

import io.deli.lab.judge.Span;
import io.deli.lab.torture.Read.Sighting;
import java.util.Optional;

/**
 * A write that a client asked for: a Put of one version, or a delete of all versions up to a
 * timestamp.
 *
 * @param value none for a delete
 * @param span without end if the client was told of a failure: then it may take effect at any time,
 *     or never
 */
record Write(String row, Optional<String> value, long timestamp, Span span) {
  Write at(long another) {
    return new Write(row, value, another, span);
  }

  boolean isPut() {
    return value.isPresent();
  }

  boolean isAcknowledged() {
    return span.ended() != Span.NEVER;
  }

  boolean made(Sighting sighting) {
    return timestamp == sighting.timestamp() && value.equals(Optional.of(sighting.value()));
  }

  @Override
  public String toString() {
    return "%s@%d [%d, %s]"
        .formatted(
            value.map(v -> "put '" + v + "' ").orElse("delete "),
            timestamp,
            span.begun(),
            isAcknowledged() ? span.ended() : "failed");
  }
}
