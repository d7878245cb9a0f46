package io.deli.tools.dashboard;

import io.deli.tools.Session;

/** Opens the session that a page reads by, when it is first needed. */
@FunctionalInterface
public interface Sessions {
  Session open();
}
