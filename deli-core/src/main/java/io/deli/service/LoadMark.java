package io.deli.service;

import io.deli.index.Maintenance;
import io.deli.strategy.IndexDefinitions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MD5Hash;

/**
 * Tells of files that a base table loads in bulk, for which indexes entries were made of them: the
 * name of a directory above them, of the index tables that clients had to keep at that time.
 *
 * <p>An index that is created or built anew is another table, to which regions are opened again
 * before its builder reads any. So a region that takes the files has entries of them in all its
 * indexes, or the builder of a new one meets their rows.
 */
public final class LoadMark {
  private static final String PREFIX = "deli-entries-";
  private static final Pattern DIRECTORY = Pattern.compile("/(" + PREFIX + "[0-9a-f]+)/");

  private LoadMark() {}

  /** The name of the directory for files that are made now. */
  public static String of(TableDescriptor table) {
    String tables =
        IndexDefinitions.of(table).stream()
            .filter(index -> index.state().maintained())
            .filter(index -> index.maintenance() == Maintenance.CLIENT)
            .flatMap(index -> IndexDefinitions.indexTables(table.getTableName(), index).stream())
            .map(TableName::getNameAsString)
            .sorted()
            .collect(Collectors.joining("\n"));
    return PREFIX + MD5Hash.getMD5AsHex(Bytes.toBytes(tables));
  }

  /**
   * Refuses a file in a directory of other indexes than the table has. One in no such directory may
   * be of whoever sees to the indexes in another way.
   */
  public static void requireCurrent(TableDescriptor table, String file)
      throws DoNotRetryIOException {
    Matcher directory = DIRECTORY.matcher(file);
    if (directory.find() && !directory.group(1).equals(of(table))) {
      throw new DoNotRetryIOException(
          "file %s is not loaded: indexes of table %s have changed since entries were made of it. Load the rows again."
              .formatted(file, table.getTableName()));
    }
  }
}
