package io.deli.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Properties;
import org.junit.jupiter.api.Test;

class ProportionsTest {
  @Test
  void ratiosSetProportions() {
    Properties properties = new Properties();
    properties.setProperty("readtowriteratio", "3");
    properties.setProperty("primarytosecondaryratio", "2");
    properties.setProperty("updateratio", "0.4");
    properties.setProperty("readvalueproportion", "3");
    properties.setProperty("prefixlookupproportion", "1");
    Proportions.resolve(properties);
    assertProportion(properties, "readproportion", 0.5);
    assertProportion(properties, "readvalueproportion", 0.1875);
    assertProportion(properties, "prefixlookupproportion", 0.0625);
    assertProportion(properties, "rangelookupproportion", 0);
    assertProportion(properties, "updateproportion", 0.1);
    assertProportion(properties, "insertproportion", 0.15);
  }

  private static void assertProportion(Properties properties, String name, double expected) {
    assertThat(Double.parseDouble(properties.getProperty(name)))
        .as(name)
        .isCloseTo(expected, within(1e-9));
  }

  @Test
  void refusesWhatIsSaidTwice() {
    Properties twice = new Properties();
    twice.setProperty("readtowriteratio", "1");
    twice.setProperty("readproportion", "0.5");
    assertThatThrownBy(() -> Proportions.resolve(twice))
        .hasMessage("both readtowriteratio and readproportion are set: leave one out");
    Properties alone = new Properties();
    alone.setProperty("updateratio", "1");
    assertThatThrownBy(() -> Proportions.resolve(alone))
        .hasMessage("updateratio goes with readtowriteratio only");
  }
}
