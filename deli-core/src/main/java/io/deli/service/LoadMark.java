package io.deli.service;

import io.deli.strategy.Index;
import io.deli.strategy.IndexDefinitions;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MD5Hash;

/**
 * The mark of files that a base table loads in bulk when the index tables have the entries of their
 * rows: a directory above them, whose name tells of which indexes, and the rows' timestamp.
 *
 * <p>A region takes such files only if these are all indexes that are maintained. One that is
 * created, enabled or built anew adds to them, and all regions are opened again for it; only then
 * its builder reads them, or it is found that they have no rows. So a region has entries of what it
 * takes in all its indexes, or the rows are met when an index comes.
 *
 * <p>Entries without rows are garbage to read repair. So they have write ids of a time to come,
 * {@link #writtenAt}, and a region takes no files when that is near.
 *
 * @param indexes a hash of their definitions
 * @param timestamp of all cells, by the clock of a region server. A region waits until its own has
 *     passed it, and admits no such timestamp of other writes from then on
 */
public record LoadMark(String indexes, long timestamp) {
  private static final Duration TERM = Duration.ofDays(2);
  private static final Duration ENTRIES_STAY = TERM.plusDays(1);
  private static final String PREFIX = "deli-entries-";

  /** Of several such directories, the last: a table may have a name like that. */
  private static final Pattern PATH =
      Pattern.compile(".*/" + PREFIX + "([0-9a-f]{32})-([0-9]{1,18})/.*");

  /** The mark of files for which entries of the table's present indexes are made. */
  public static LoadMark of(TableDescriptor table, long timestamp) {
    String definitions =
        IndexDefinitions.maintained(Index.allOf(table)).stream()
            .map(index -> IndexDefinitions.identity(index.baseTable(), index.definition()))
            .sorted()
            .collect(Collectors.joining("\n"));
    return new LoadMark(MD5Hash.getMD5AsHex(Bytes.toBytes(definitions)), timestamp);
  }

  /** The mark of a file; empty if that may be of whoever sees to the indexes in another way. */
  public static Optional<LoadMark> of(String file) {
    Matcher path = PATH.matcher(file);
    return path.matches()
        ? Optional.of(new LoadMark(path.group(1), Long.parseLong(path.group(2))))
        : Optional.empty();
  }

  /** The name of the directory. */
  public String directory() {
    return PREFIX + indexes + "-" + timestamp;
  }

  /** The least time in the write ids of the entries: until then none is repaired. */
  public long writtenAt() {
    return timestamp + ENTRIES_STAY.toMillis();
  }

  /** Whether it is too late to load the files. */
  public boolean isOver(long now) {
    return now - timestamp > TERM.toMillis();
  }

  /**
   * Refuses the files if the table has other indexes by now, or if the entries may be repaired
   * before their rows are there.
   *
   * @param now by the clock of a region server
   */
  public void requireCurrent(TableDescriptor table, long now) throws DoNotRetryIOException {
    if (!equals(of(table, timestamp))) {
      throw new DoNotRetryIOException(
          "rows of table %s are not loaded: indexes were created, built anew or dropped since entries of the rows were made. Load again."
              .formatted(table.getTableName()));
    }
    if (isOver(now)) {
      throw new DoNotRetryIOException(
          "rows of table %s are not loaded: the load began more than %d days ago, and their entries will soon pass for garbage. Load fewer files at a time."
              .formatted(table.getTableName(), TERM.toDays()));
    }
  }
}
