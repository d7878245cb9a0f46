package io.deli.tools.load;

import java.util.Collections;
import java.util.Map;

/**
 * One row of an input file.
 *
 * @param line number of its first line, from 1
 * @param fields texts by column name, in the file's order; null where the file says null
 */
public record InputRecord(long line, Map<String, String> fields) {
  public InputRecord {
    fields = Collections.unmodifiableMap(fields);
  }
}
