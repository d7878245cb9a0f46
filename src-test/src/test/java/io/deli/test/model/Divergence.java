package io.deli.test.model;

import java.util.Collection;
import java.util.List;

/** Something that is not as it must be, with the rows whose history may tell why. */
final class Divergence extends AssertionError {
  private static final long serialVersionUID = 1L;

  private final transient List<byte[]> rows;

  Divergence(String message, Collection<byte[]> rows) {
    super(message);
    this.rows = List.copyOf(rows);
  }

  List<byte[]> rows() {
    return rows;
  }
}
