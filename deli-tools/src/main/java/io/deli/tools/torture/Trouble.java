package io.deli.tools.torture;

import java.util.Random;

/** Something that befalls a cluster while clients work. */
public interface Trouble {
  /** For the report. */
  String name();

  /**
   * Makes it happen, and puts right what does not mend by itself.
   *
   * @throws Exception if it could not happen now, which is no failure of anything
   */
  void befall(Random random) throws Exception;

  /** What a trouble does. */
  @FunctionalInterface
  interface Action {
    void run(Random random) throws Exception;
  }

  static Trouble of(String name, Action action) {
    return new Trouble() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public void befall(Random random) throws Exception {
        action.run(random);
      }
    };
  }
}
