package io.deli.test.strategy;

class CompositeStrategyTest extends StrategyContract {
  @Override
  protected String strategy() {
    return "composite";
  }
}
