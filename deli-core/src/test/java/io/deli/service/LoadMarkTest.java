package io.deli.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** Marks as names; their refusals are tested with the regions that make them. */
class LoadMarkTest {
  private static final LoadMark MARK =
      LoadMark.of(TableDescriptorBuilder.newBuilder(TableName.valueOf("t")).build(), 1_500);

  @Test
  void isReadFromTheLastDirectoryOfThatForm() {
    LoadMark other = new LoadMark("0".repeat(32), 1);
    String path = "hdfs://host/load/" + other.directory() + "/x/" + MARK.directory();
    assertThat(LoadMark.of(path + "/f/.tmp/half.top")).contains(MARK);
    assertThat(LoadMark.of(path)).contains(other);
  }

  @Test
  void otherFilesHaveNone() {
    assertThat(LoadMark.of("hdfs://host/load/deli-entries-1/f/file")).isEmpty();
    assertThat(LoadMark.of("hdfs://host/load/" + MARK.directory() + "0x/f/file")).isEmpty();
  }
}
