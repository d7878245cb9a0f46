package io.deli.client.internal.write;

import java.util.List;

/** Sends requests as it is told to, and answers each call when its own answer comes. */
interface Wire {
  /** In one request for each region server that they go to; a single one in the shortest way. */
  void send(List<Call> calls);
}
