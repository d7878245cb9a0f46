package io.deli.client.internal.write;

import java.util.List;

/** Sends requests as it is told to, and answers each call when its own answer comes. */
interface Wire {
  /** In a request of its own. */
  void send(Call call);

  /** In one request for each region server that they go to. */
  void send(List<Call> calls);
}
