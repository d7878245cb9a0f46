package io.deli.fileindex.internal.blocks;

import io.deli.coprocessor.spi.FileIndexProvider;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.metrics.Counter;

/** Lends file indexes counters, and threads in the background that never get to their work. */
record CountingHost(Configuration configuration, Map<String, Count> counts)
    implements FileIndexProvider.Host {
  CountingHost(Configuration configuration) {
    this(configuration, new ConcurrentHashMap<>());
  }

  @Override
  public Executor background() {
    return work -> {};
  }

  @Override
  public Counter counter(String name) {
    return counts.computeIfAbsent(name, any -> new Count());
  }

  long count(String name) {
    return counter(name).getCount();
  }

  private static final class Count implements Counter {
    private final AtomicLong count = new AtomicLong();

    @Override
    public void increment() {
      increment(1);
    }

    @Override
    public void increment(long number) {
      count.addAndGet(number);
    }

    @Override
    public void decrement() {
      increment(-1);
    }

    @Override
    public void decrement(long number) {
      increment(-number);
    }

    @Override
    public long getCount() {
      return count.get();
    }
  }
}
