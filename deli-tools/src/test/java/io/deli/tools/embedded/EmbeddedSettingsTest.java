package io.deli.tools.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.junit.jupiter.api.Test;

class EmbeddedSettingsTest {
  /** This module's test resources have one. */
  @Test
  void deliSiteOverrulesThem() {
    Configuration settings = EmbeddedHBase.settings();
    assertThat(settings.getInt("hbase.regionserver.maxlogs", 0)).isEqualTo(9);
    assertThat(settings.getInt("hbase.regionserver.handler.count", 0)).isEqualTo(12);
  }

  /** A master would abort otherwise. */
  @Test
  void theMasterCanLoadItsObserver() {
    assertThat(EmbeddedHBase.settings().getClasses("hbase.coprocessor.master.classes"))
        .hasSize(1)
        .allMatch(MasterCoprocessor.class::isAssignableFrom);
  }
}
