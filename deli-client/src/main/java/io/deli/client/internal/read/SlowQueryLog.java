package io.deli.client.internal.read;

import io.deli.client.ValueQuery;
import io.deli.config.DeliSettings;
import io.deli.query.Condition;
import io.deli.query.Condition.And;
import io.deli.query.Condition.OnIndex;
import io.deli.query.Condition.Or;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each slow query once, on a logger of its own. Thread-safe. */
record SlowQueryLog(long limitMillis, int valueBytes) {
  private static final Logger LOG = LoggerFactory.getLogger("io.deli.client.SlowQueries");

  private static final byte[] CUT = "...".getBytes(StandardCharsets.UTF_8);

  static SlowQueryLog of(Configuration configuration) {
    return new SlowQueryLog(
        DeliSettings.SLOW_QUERY.get(configuration),
        DeliSettings.SLOW_QUERY_VALUES.get(configuration));
  }

  /** Whether slow queries are logged. */
  boolean areTold() {
    return limitMillis > 0;
  }

  /**
   * Logs a query if it was slow.
   *
   * @param read what it read, as text
   */
  void ended(QueryPlan plan, ValueQuery query, long nanos, Object read) {
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    if (areTold() && millis >= limitMillis && LOG.isWarnEnabled()) {
      LOG.warn(
          "{} ms: table {}, {}{}; {}; {}",
          millis,
          plan.base(),
          text(query.condition()),
          text(plan.options()),
          steps(plan),
          read);
    }
  }

  private static String steps(QueryPlan plan) {
    return plan.steps().stream()
        .map(
            step ->
                "%s of %s (%s)"
                    .formatted(
                        step.access().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        step.condition().index(),
                        step.strategy()))
        .collect(Collectors.joining(", then "));
  }

  private String text(Condition condition) {
    if (condition instanceof And and) {
      return "(" + text(and.left()) + " and " + text(and.right()) + ")";
    }
    if (condition instanceof Or or) {
      return "(" + text(or.left()) + " or " + text(or.right()) + ")";
    }
    OnIndex one = (OnIndex) condition;
    return new OnIndex(one.index(), one.predicate().map(this::shown)).toString();
  }

  /** Truncates a value to the bytes that may be logged. */
  private byte[] shown(byte[] value) {
    if (value.length <= valueBytes) {
      return value;
    }
    byte[] cut = Arrays.copyOf(value, valueBytes + CUT.length);
    System.arraycopy(CUT, 0, cut, valueBytes, CUT.length);
    return cut;
  }

  private static String text(ValueQuery.Options options) {
    StringBuilder text = new StringBuilder();
    options.limit().ifPresent(limit -> text.append(", limit ").append(limit));
    options.mostRecent().ifPresent(most -> text.append(", most recent ").append(most));
    options.asOf().ifPresent(time -> text.append(", as of ").append(time));
    if (options.versions() != 1) {
      text.append(", versions ").append(options.versions());
    }
    if (options.reversed()) {
      text.append(", reversed");
    }
    return text.toString();
  }
}
