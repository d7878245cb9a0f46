package io.deli.test.strategy;

class InPlaceStrategyTest extends StrategyContract {
  @Override
  protected String strategy() {
    return "in-place";
  }
}
