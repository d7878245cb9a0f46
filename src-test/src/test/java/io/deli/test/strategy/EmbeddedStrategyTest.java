package io.deli.test.strategy;

class EmbeddedStrategyTest extends StrategyContract {
  @Override
  protected String strategy() {
    return "embedded";
  }
}
