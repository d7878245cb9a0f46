package io.deli.test.planted;

import io.deli.test.fault.Proxies;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Threads;

/**
 * A table of HBase's whose Puts and Deletes are given a timestamp by the client, whatever the row
 * was given meanwhile.
 */
final class DrawnTimestamps {
  private DrawnTimestamps() {}

  /**
   * @param hesitationMillis at most, between drawing a timestamp and using it
   */
  static Table of(Table table, LongSupplier clock, int hesitationMillis) {
    return Proxies.of(
        Table.class,
        (proxy, called, arguments) -> {
          boolean drawn = false;
          for (Object argument : arguments == null ? new Object[0] : arguments) {
            drawn |= stamp(argument, clock.getAsLong());
          }
          if (drawn) {
            Threads.sleep(ThreadLocalRandom.current().nextInt(hesitationMillis + 1));
          }
          return Proxies.call(table, called, arguments);
        });
  }

  private static boolean stamp(Object argument, long timestamp) throws java.io.IOException {
    if (argument instanceof CheckAndMutate conditional) {
      return stamp(conditional.getAction(), timestamp);
    } else if (argument instanceof RowMutations several) {
      for (Mutation each : several.getMutations()) {
        stamp(each, timestamp);
      }
      return true;
    } else if (argument instanceof Put || argument instanceof Delete) {
      Mutation mutation = (Mutation) argument;
      mutation.setTimestamp(timestamp);
      for (java.util.List<Cell> cells : mutation.getFamilyCellMap().values()) {
        for (Cell cell : cells) {
          PrivateCellUtil.setTimestamp(cell, timestamp);
        }
      }
      return true;
    }
    return false;
  }
}
