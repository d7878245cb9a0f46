package io.deli.client;

import java.util.List;
import java.util.Optional;

/**
 * A page of the results of a value query.
 *
 * @param hits in the query's order
 * @param continuation for {@link ValueQuery#from}, to go on behind these hits; empty when there are
 *     no more. It may be present though nothing follows.
 */
public record ValuePage(List<ValueHit> hits, Optional<Continuation> continuation) {
  public ValuePage {
    hits = List.copyOf(hits);
  }
}
