package io.deli.tools.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.Test;

class DeliJobTest {
  private static final JobID JOB = new JobID("yarn", 1);

  /** As those of a job that YARN knows no more, or that no history server has. */
  @Test
  void lostCountersAreNotTakenForZeros() {
    assertLost(null);
    assertLost(new Counters());
  }

  private static void assertLost(Counters counters) {
    assertThatThrownBy(() -> DeliJob.requireCounters(JOB, counters))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("job_yarn_0001")
        .hasMessageContaining("history server");
  }

  @Test
  void countersOfAJobThatFoundNothingHold() throws IOException {
    Counters counters = new Counters();
    counters.findCounter(TaskCounter.MAP_INPUT_RECORDS).setValue(0);
    assertThat(DeliJob.requireCounters(JOB, counters)).isSameAs(counters);
  }
}
