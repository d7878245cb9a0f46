package io.deli.test.strategy;

import org.junit.jupiter.api.Tag;

@Tag("without-fileindex")
class LazyStrategyTest extends StrategyContract {
  @Override
  protected String strategy() {
    return "lazy";
  }
}
