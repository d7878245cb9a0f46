package io.deli.client.internal.read;

import io.deli.client.ValueHit;
import java.util.List;
import java.util.Optional;

/**
 * A page of verified hits.
 *
 * @param next the position behind the page; empty if there are no more hits
 * @param last whether the run ends here: no more hits, or as many as were asked for
 */
record HitPage(List<PositionedHit> hits, Optional<Position> next, boolean last) {
  /** A hit, and the position from which the query continues behind it. */
  record PositionedHit(ValueHit hit, Position behind) {}
}
