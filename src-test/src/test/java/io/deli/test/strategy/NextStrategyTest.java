package io.deli.test.strategy;

class NextStrategyTest extends StrategyContract {
  @Override
  protected String strategy() {
    return "next";
  }
}
