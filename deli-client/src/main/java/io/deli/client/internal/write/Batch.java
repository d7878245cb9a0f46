package io.deli.client.internal.write;

import java.util.Arrays;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.common.collect.Lists;

/**
 * Operations on one table, planned by one view of its definitions.
 *
 * @param indexed whether the table has an index to maintain; if not, operations go as they are
 */
public record Batch(boolean indexed, List<Plan> plans) {
  public int size() {
    return plans.size();
  }

  /** The same in parts of a size at most, in order. */
  List<Batch> parts(int size) {
    return Lists.partition(plans, size).stream().map(part -> new Batch(indexed, part)).toList();
  }

  /** The answers if all of them failed. */
  Object[] failed(Throwable error) {
    Object[] answers = new Object[size()];
    Arrays.fill(answers, error);
    return answers;
  }
}
