package io.deli.strategy;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;

/**
 * The rules by which a family shows versions: how many, and for how long.
 *
 * @param most of the newest versions that a reader sees
 * @param least of them that it sees even if they are expired
 * @param lifeMillis time to live; {@link Long#MAX_VALUE} for ever
 * @param canResurrect whether an older version may take the place of one that is deleted. With
 *     {@code NEW_VERSION_BEHAVIOR} it may not: a version that was once superseded stays so
 */
public record VersionRules(int most, int least, long lifeMillis, boolean canResurrect) {
  /** Returns the rules of a family. */
  public static VersionRules of(ColumnFamilyDescriptor family) {
    int seconds = family.getTimeToLive();
    return new VersionRules(
        family.getMaxVersions(),
        family.getMinVersions(),
        seconds == HConstants.FOREVER ? Long.MAX_VALUE : 1_000L * seconds,
        !family.isNewVersionBehavior());
  }

  /** Returns the rules for an index that knows only so many of the newest versions. */
  public VersionRules ofNewest(int versions) {
    return new VersionRules(
        Math.min(versions, most), Math.min(versions, least), lifeMillis, canResurrect);
  }

  /** Whether a reader sees a version behind so many newer ones. */
  boolean show(long timestamp, int newer, long now) {
    return newer < most && (newer < least || !isExpired(timestamp, now));
  }

  private boolean isExpired(long timestamp, long now) {
    return lifeMillis != Long.MAX_VALUE && timestamp < now - lifeMillis;
  }

  /**
   * Whether the visible versions prove that an earlier visible version was deleted, and not just
   * superseded or expired.
   *
   * @param seen all versions that it sees
   */
  public boolean tellDeleted(long timestamp, List<Cell> seen) {
    return least == 0
        && seen.stream().noneMatch(cell -> cell.getTimestamp() == timestamp)
        && seen.stream().filter(cell -> cell.getTimestamp() > timestamp).count() < most;
  }
}
