package io.deli.tools.mapreduce;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.security.UserGroupInformation;

/** Hadoop's runner in this process, which takes one task after the other unless it is told. */
final class LocalRunner {
  static final String MAPS = "mapreduce.local.map.tasks.maximum";
  static final String REDUCES = "mapreduce.local.reduce.tasks.maximum";

  /** The share of a reducer's memory in which map outputs may stay. */
  private static final float KEPT = 0.5f;

  private LocalRunner() {}

  static boolean isFrameworkOf(Configuration conf) {
    return conf.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME)
        .equals(MRConfig.LOCAL_FRAMEWORK_NAME);
  }

  /**
   * Refuses a job with reducers where Kerberos is asked for: Hadoop has them read the mappers'
   * files by native code, which its jars do not bring.
   *
   * @param otherWay to be recommended
   */
  static void requireUsable(Configuration conf, String otherWay) throws IOException {
    if (isFrameworkOf(conf)
        && UserGroupInformation.isSecurityEnabled()
        && !NativeIO.isAvailable()) {
      throw new DoNotRetryIOException(
          "--mapreduce in this process needs Hadoop's native library where HBase asks for Kerberos: set mapreduce.framework.name to yarn, or "
              + otherWay);
    }
  }

  /**
   * Has it take as many tasks at once as there are processors, but no more mappers than have room
   * for their buffers in half of the heap, and keep in memory what they can. What is configured
   * stays, but for a 0 that is Hadoop's own default.
   *
   * @param heap bytes
   */
  static void useAll(Configuration conf, int processors, long heap) {
    long buffer = (long) conf.getInt(MRJobConfig.IO_SORT_MB, MRJobConfig.DEFAULT_IO_SORT_MB) << 20;
    long maps = Math.max(1, Math.min(processors, heap / 2 / Math.max(1, buffer)));
    conf.setIfUnset(MAPS, Long.toString(maps));
    conf.setIfUnset(REDUCES, Integer.toString(processors));
    // Each reducer counts on all of it.
    int reducers = Math.min(conf.getInt(REDUCES, 1), conf.getInt(MRJobConfig.NUM_REDUCES, 1));
    long share = heap / Math.max(1, reducers);
    conf.setIfUnset(MRJobConfig.REDUCE_MEMORY_TOTAL_BYTES, Long.toString(share));
    if (conf.getFloat(MRJobConfig.REDUCE_INPUT_BUFFER_PERCENT, 0) == 0) {
      // What is in memory need not be written to be read again; HBase's writers need little.
      conf.setFloat(MRJobConfig.REDUCE_INPUT_BUFFER_PERCENT, KEPT);
    }
  }
}
