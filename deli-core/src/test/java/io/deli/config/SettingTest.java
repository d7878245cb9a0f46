package io.deli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class SettingTest {
  private static final Setting<Integer> COUNT = Setting.count("n", 7, 2, "Things");
  private static final Setting<Long> AMOUNT = Setting.amount("ms", 9, "Milliseconds");
  private static final Setting<Double> SHARE = Setting.share("share", 0.5, "Share");
  private static final Setting<String> TEXT = Setting.text("text", "t", "Text");
  private static final Setting<Boolean> OFF = Setting.flag("off", false, "Flag");
  private static final Setting<Boolean> ON = Setting.flag("on", true, "Flag");
  private static final Setting<GcMode> MODE = Setting.choice("mode", GcMode.BEFORE, "Mode");

  private static Configuration given(Setting<?> setting, String value) {
    Configuration configuration = new Configuration(false);
    configuration.set(setting.key(), value);
    return configuration;
  }

  private static <T> T read(Setting<T> setting, String value) {
    return setting.get(given(setting, value));
  }

  @Test
  void whatIsNotConfigured_isTheDefault() {
    for (Setting<?> setting : List.of(COUNT, AMOUNT, SHARE, TEXT, OFF, ON, MODE)) {
      assertThat(setting.get(new Configuration(false))).isEqualTo(setting.fallback());
    }
  }

  @Test
  void whatIsConfigured_isTaken_limitsIncluded() {
    assertThat(read(COUNT, "2")).isEqualTo(2);
    assertThat(read(AMOUNT, "0")).isZero();
    assertThat(read(AMOUNT, "8")).isEqualTo(8);
    assertThat(read(SHARE, "0")).isZero();
    assertThat(read(SHARE, "1")).isEqualTo(1);
    assertThat(read(TEXT, " some ")).isEqualTo("some");
    assertThat(read(OFF, "True")).isTrue();
    assertThat(read(ON, "false")).isFalse();
    assertThat(read(MODE, "staged")).isEqualTo(GcMode.STAGED);
  }

  @Test
  void whatIsMalformed_isRefusedByItsKey_andReplacedOnServers() {
    assertRefused(COUNT, "1", "n = 1: must be at least 2");
    assertRefused(COUNT, "many", "n = 'many': give a number (Things)");
    assertRefused(AMOUNT, "-1", "ms = -1: must be at least 0");
    assertRefused(SHARE, "1.01", "share = 1.01: must be from 0 to 1");
    assertRefused(SHARE, "-0.01", "share = -0.01: must be from 0 to 1");
    assertRefused(SHARE, "NaN", "share = NaN: must be from 0 to 1");
    assertRefused(ON, "yes", "on = 'yes': give true or false");
    assertRefused(MODE, "late", "mode = 'late': give one of [streaming, before, staged, off]");
  }

  private static void assertRefused(Setting<?> setting, String value, String message) {
    assertThatThrownBy(() -> read(setting, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
    List<String> problems = new ArrayList<>();
    assertThat((Object) setting.get(given(setting, value), problems::add))
        .isEqualTo(setting.fallback());
    assertThat(problems).containsExactly(message + "; taking " + setting.fallback());
  }

  @Test
  void aDefault_isWrittenAsUsersWriteIt() {
    assertThat(MODE.fallbackText()).isEqualTo("before");
    assertThat(AMOUNT.fallbackText()).isEqualTo("9");
    assertThat(read(AMOUNT, AMOUNT.fallbackText())).isEqualTo(AMOUNT.fallback());
  }

  @Test
  void allSettings_areListedByKey_andReadTheirDefaults() {
    assertThat(DeliSettings.all())
        .contains(DeliSettings.REPAIR_GRACE, DeliSettings.COPROCESSOR_JAR)
        .isSortedAccordingTo((a, b) -> a.key().compareTo(b.key()))
        .allSatisfy(
            setting ->
                assertThat((Object) read(setting, setting.fallbackText()))
                    .isEqualTo(setting.fallback()));
  }
}
