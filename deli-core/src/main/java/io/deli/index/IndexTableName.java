package io.deli.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;

/**
 * The parts of an index table's name.
 *
 * @param base the table whose index it would be
 * @param index name of the index
 * @param generation of the index
 */
public record IndexTableName(TableName base, String index, int generation) {
  /** A generation in a name; the first one is not written. */
  private static final Pattern LATER = Pattern.compile("[1-9][0-9]{0,8}");

  /**
   * Returns the possible readings of a name, the likelier first; none if no index table can have
   * it. A name with a number at its end may be that of a later generation, or the number an index's
   * name.
   */
  public static List<IndexTableName> readings(TableName table) {
    List<IndexTableName> readings = new ArrayList<>(2);
    split(table, table.getQualifierAsString(), 1)
        .ifPresent(
            first -> {
              if (LATER.matcher(first.index()).matches() && !first.index().equals("1")) {
                String rest = first.base().getQualifierAsString();
                split(table, rest, Integer.parseInt(first.index())).ifPresent(readings::add);
              }
              readings.add(first);
            });
    return readings;
  }

  private static Optional<IndexTableName> split(TableName table, String name, int generation) {
    int dot = name.lastIndexOf('.');
    return dot <= 0 || dot == name.length() - 1 || table.isSystemTable()
        ? Optional.empty()
        : Optional.of(
            new IndexTableName(
                TableName.valueOf(table.getNamespaceAsString(), name.substring(0, dot)),
                name.substring(dot + 1),
                generation));
  }
}
