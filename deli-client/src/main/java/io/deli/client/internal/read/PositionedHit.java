package io.deli.client.internal.read;

import io.deli.client.ValueHit;

/** A hit, and the place from which a query goes on behind it. */
record PositionedHit(ValueHit hit, Position behind) {}
