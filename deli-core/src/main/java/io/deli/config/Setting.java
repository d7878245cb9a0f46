package io.deli.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * One configuration key: its name, type, default and meaning.
 *
 * @param key name in the configuration
 * @param fallback value where the configuration has none
 * @param meaning one sentence with the unit
 * @param reader reads the value under the key, given the default
 */
public record Setting<T>(
    String key, T fallback, String meaning, BiFunction<Configuration, Setting<T>, T> reader) {

  /** A whole number, at least {@code least}. */
  public static Setting<Integer> count(String key, int fallback, int least, String meaning) {
    return new Setting<>(
        key, fallback, meaning, (c, s) -> atLeast(least, s.key(), c.getInt(s.key(), s.fallback())));
  }

  /** A duration or size, never negative. */
  public static Setting<Long> amount(String key, long fallback, String meaning) {
    return new Setting<>(
        key, fallback, meaning, (c, s) -> atLeast(0L, s.key(), c.getLong(s.key(), s.fallback())));
  }

  /** A share of a whole, from 0 to 1. */
  public static Setting<Double> share(String key, double fallback, String meaning) {
    return new Setting<>(
        key, fallback, meaning, (c, s) -> ofWhole(s.key(), c.getDouble(s.key(), s.fallback())));
  }

  /** A text. */
  public static Setting<String> text(String key, String fallback, String meaning) {
    return new Setting<>(key, fallback, meaning, (c, s) -> c.getTrimmed(s.key(), s.fallback()));
  }

  /** Yes or no, as {@code true} or {@code false}. */
  public static Setting<Boolean> flag(String key, boolean fallback, String meaning) {
    return new Setting<>(key, fallback, meaning, (c, s) -> yesOrNo(c.getTrimmed(s.key()), s));
  }

  /** One of an enum's constants, by name in any case. */
  public static <E extends Enum<E>> Setting<E> choice(String key, E fallback, String meaning) {
    return new Setting<>(key, fallback, meaning, (c, s) -> chosen(c.getTrimmed(s.key()), s));
  }

  /**
   * The configured value or the default.
   *
   * @throws IllegalArgumentException if the configured text is no such value, naming the key
   */
  public T get(Configuration configuration) {
    try {
      return reader.apply(configuration, this);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          key + " = '" + configuration.get(key) + "': give a number (" + meaning + ")", e);
    }
  }

  /**
   * The configured value, or the default where that is malformed: for servers, which must work
   * whatever they are told.
   *
   * @param problems is told what is malformed
   */
  public T get(Configuration configuration, Consumer<String> problems) {
    try {
      return get(configuration);
    } catch (IllegalArgumentException e) {
      problems.accept(e.getMessage() + "; taking " + fallback);
      return fallback;
    }
  }

  /** The default as it would be written into a configuration; empty if it is nothing. */
  public String fallbackText() {
    return fallback instanceof Enum<?> choice
        ? choice.name().toLowerCase(Locale.ROOT)
        : fallback.toString();
  }

  private static boolean yesOrNo(String given, Setting<Boolean> setting) {
    if (given == null) {
      return setting.fallback();
    }
    return switch (given.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              "%s = '%s': give true or false".formatted(setting.key(), given));
    };
  }

  private static <E extends Enum<E>> E chosen(String name, Setting<E> setting) {
    if (name == null) {
      return setting.fallback();
    }
    E[] choices = setting.fallback().getDeclaringClass().getEnumConstants();
    return Arrays.stream(choices)
        .filter(choice -> choice.name().equalsIgnoreCase(name))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s = '%s': give one of %s"
                        .formatted(setting.key(), name, Arrays.toString(choices))));
  }

  private static double ofWhole(String key, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(key + " = " + value + ": must be from 0 to 1");
    }
    return value;
  }

  private static <N extends Number & Comparable<N>> N atLeast(N least, String key, N value) {
    if (value.compareTo(least) < 0) {
      throw new IllegalArgumentException(key + " = " + value + ": must be at least " + least);
    }
    return value;
  }
}
