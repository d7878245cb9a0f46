package io.deli.test.strategy;

class NoneStrategyTest extends StrategyContract {
  @Override
  protected String strategy() {
    return "none";
  }
}
