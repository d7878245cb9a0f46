package io.deli.test.build;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.LocalJobRunner;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;
import org.apache.hadoop.mapreduce.protocol.ClientProtocolProvider;

/**
 * Runs jobs in this process if the configuration asks for it, and has no counters of those that
 * ended, as YARN without MapReduce's history server. Hadoop finds it by its name in {@code
 * META-INF/services}.
 */
public final class ForgetfulRunner extends ClientProtocolProvider {
  private static final String ASKED_FOR = "deli.test.forgets.counters";

  static Configuration asked(Configuration configuration) {
    configuration.setBoolean(ASKED_FOR, true);
    return configuration;
  }

  @Override
  public ClientProtocol create(Configuration conf) throws IOException {
    return conf.getBoolean(ASKED_FOR, false)
        ? new LocalJobRunner(conf) {
          @Override
          public Counters getJobCounters(JobID id) {
            return new Counters();
          }
        }
        : null;
  }

  @Override
  public ClientProtocol create(InetSocketAddress address, Configuration conf) {
    return null;
  }

  @Override
  public void close(ClientProtocol client) {
    // It ends with its jobs.
  }
}
