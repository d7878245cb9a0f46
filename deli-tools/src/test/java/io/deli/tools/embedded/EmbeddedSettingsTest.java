package io.deli.tools.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedSettingsTest {
  /** This module's test resources have one. */
  @Test
  void deliSiteOverrulesThem() {
    Configuration settings = EmbeddedHBase.settings();
    assertThat(settings.getInt("hbase.regionserver.maxlogs", 0)).isEqualTo(9);
    assertThat(settings.getInt("hbase.regionserver.handler.count", 0)).isEqualTo(12);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a b", "/#1?", "/[a]", "/a:b"})
  void hbaseKeepsItsFilesInTheDataDirectory(String path) {
    DataDirectory data = new DataDirectory(Path.of(path));
    Configuration conf = EmbeddedHBase.serverConfiguration(data, Ports.ANY, "localhost");
    URI root = new org.apache.hadoop.fs.Path(conf.get(HConstants.HBASE_DIR)).toUri();
    assertThat(root.getScheme()).isEqualTo("file");
    assertThat(root.getPath()).isEqualTo(path + "/hbase");
  }

  /** A master would abort otherwise. */
  @Test
  void theMasterCanLoadItsObserver() {
    assertThat(EmbeddedHBase.settings().getClasses("hbase.coprocessor.master.classes"))
        .hasSize(1)
        .allMatch(MasterCoprocessor.class::isAssignableFrom);
  }
}
