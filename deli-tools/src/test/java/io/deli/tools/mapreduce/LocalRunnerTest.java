package io.deli.tools.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.Test;

class LocalRunnerTest {
  private static final long GIGABYTE = 1L << 30;

  @Test
  void takesATaskForEachProcessor() {
    Configuration conf = new Configuration();
    conf.setInt(MRJobConfig.NUM_REDUCES, 8);
    LocalRunner.useAll(conf, 4, 4 * GIGABYTE);
    assertThat(conf.getInt(LocalRunner.MAPS, 0)).isEqualTo(4);
    assertThat(conf.getInt(LocalRunner.REDUCES, 0)).isEqualTo(4);
    assertThat(conf.getLong(MRJobConfig.REDUCE_MEMORY_TOTAL_BYTES, 0)).isEqualTo(GIGABYTE);
    assertThat(conf.getFloat(MRJobConfig.REDUCE_INPUT_BUFFER_PERCENT, 0)).isEqualTo(0.5f);
  }

  @Test
  void takesNoMoreMappersThanTheHeapHasBuffersFor() {
    Configuration conf = new Configuration();
    conf.setInt(MRJobConfig.IO_SORT_MB, 256);
    LocalRunner.useAll(conf, 64, GIGABYTE);
    assertThat(conf.getInt(LocalRunner.MAPS, 0)).isEqualTo(2);
    Configuration tight = new Configuration();
    LocalRunner.useAll(tight, 64, GIGABYTE / 16);
    assertThat(tight.getInt(LocalRunner.MAPS, 0)).isEqualTo(1);
  }

  @Test
  void leavesAllMemoryToOneReducer() {
    Configuration conf = new Configuration();
    LocalRunner.useAll(conf, 16, GIGABYTE);
    assertThat(conf.getLong(MRJobConfig.REDUCE_MEMORY_TOTAL_BYTES, 0)).isEqualTo(GIGABYTE);
  }

  @Test
  void leavesWhatIsConfigured() {
    Configuration conf = new Configuration();
    conf.setInt(LocalRunner.MAPS, 3);
    conf.setInt(LocalRunner.REDUCES, 2);
    conf.setInt(MRJobConfig.NUM_REDUCES, 8);
    conf.setFloat(MRJobConfig.REDUCE_INPUT_BUFFER_PERCENT, 0.2f);
    LocalRunner.useAll(conf, 64, GIGABYTE);
    assertThat(conf.getInt(LocalRunner.MAPS, 0)).isEqualTo(3);
    assertThat(conf.getInt(LocalRunner.REDUCES, 0)).isEqualTo(2);
    assertThat(conf.getLong(MRJobConfig.REDUCE_MEMORY_TOTAL_BYTES, 0)).isEqualTo(GIGABYTE / 2);
    assertThat(conf.getFloat(MRJobConfig.REDUCE_INPUT_BUFFER_PERCENT, 0)).isEqualTo(0.2f);
  }

  @Test
  void isWhatRunsWhereNoneIsNamed() {
    Configuration conf = new Configuration();
    assertThat(LocalRunner.isFrameworkOf(conf)).isTrue();
    conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.YARN_FRAMEWORK_NAME);
    assertThat(LocalRunner.isFrameworkOf(conf)).isFalse();
  }
}
