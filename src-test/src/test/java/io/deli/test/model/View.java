package io.deli.test.model;

import io.deli.index.Column;
import java.util.List;

/** What a reader sees of a table at a moment, up to a time and to so many versions. */
interface View {
  /** In ascending order; may include rows of which nothing is seen. */
  List<byte[]> rows();

  /** Newest first. */
  List<Version> versions(byte[] row, Column column);
}
