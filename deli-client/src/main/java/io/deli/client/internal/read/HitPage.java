package io.deli.client.internal.read;

import java.util.List;
import java.util.Optional;

/**
 * Verified results.
 *
 * @param next where results go on behind this page; empty if there are no more
 * @param last whether this run of the query ends here: no more results, or enough of them
 */
record HitPage(List<PositionedHit> hits, Optional<Position> next, boolean last) {}
