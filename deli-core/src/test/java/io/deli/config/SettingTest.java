package io.deli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.deli.strategy.Strategies;
import io.deli.strategy.postings.PostingLists;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class SettingTest {
  private final Setting<Integer> count = Setting.count("n", 7, 2, "Things");
  private final Setting<Long> amount = Setting.amount("ms", 9, "Milliseconds");
  private final Setting<Double> share = Setting.share("share", 0.5, "Share");
  private final Setting<String> text = Setting.text("text", "t", "Text");
  private final Setting<Boolean> off = Setting.flag("off", false, "Flag");
  private final Setting<Boolean> on = Setting.flag("on", true, "Flag");
  private final Setting<GcMode> mode = Setting.choice("mode", GcMode.BEFORE, "Mode");

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
    for (Setting<?> setting : List.of(count, amount, share, text, off, on, mode)) {
      assertThat(setting.get(new Configuration(false))).isEqualTo(setting.fallback());
    }
  }

  @Test
  void whatIsConfigured_isTaken_limitsIncluded() {
    assertThat(read(count, "2")).isEqualTo(2);
    assertThat(read(amount, "0")).isZero();
    assertThat(read(amount, "8")).isEqualTo(8);
    assertThat(read(share, "0")).isZero();
    assertThat(read(share, "1")).isEqualTo(1);
    assertThat(read(text, " some ")).isEqualTo("some");
    assertThat(read(off, "True")).isTrue();
    assertThat(read(on, "false")).isFalse();
    assertThat(read(mode, "staged")).isEqualTo(GcMode.STAGED);
    assertThat(count.get(given(count, "3"), problem -> fail(problem))).isEqualTo(3);
  }

  @Test
  void whatIsMalformed_isRefusedByItsKey_andReplacedOnServers() {
    assertRefused(count, "1", "n = 1: must be at least 2");
    assertRefused(count, "many", "n = 'many': give a number (Things)");
    assertRefused(amount, "-1", "ms = -1: must be at least 0");
    assertRefused(share, "1.01", "share = 1.01: must be from 0 to 1");
    assertRefused(share, "-0.01", "share = -0.01: must be from 0 to 1");
    assertRefused(share, "NaN", "share = NaN: must be from 0 to 1");
    assertRefused(on, "yes", "on = 'yes': give true or false");
    assertRefused(mode, "late", "mode = 'late': give one of [streaming, before, staged, off]");
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
    assertThat(mode.fallbackText()).isEqualTo("before");
    assertThat(amount.fallbackText()).isEqualTo("9");
    assertThat(read(amount, amount.fallbackText())).isEqualTo(amount.fallback());
  }

  @Test
  void allSettings_areListedByKey_andReadTheirDefaults() {
    assertThat(Strategies.settings())
        .contains(DeliSettings.REPAIR_GRACE, DeliSettings.COPROCESSOR_JAR, PostingLists.LIST_BYTES)
        .containsAll(DeliSettings.all())
        .doesNotHaveDuplicates()
        .isSortedAccordingTo((a, b) -> a.key().compareTo(b.key()))
        .allSatisfy(
            setting ->
                assertThat((Object) read(setting, setting.fallbackText()))
                    .isEqualTo(setting.fallback()));
  }
}
