package io.deli.test.strategy;

class EagerStrategyTest extends StrategyContract {
  @Override
  protected String strategy() {
    return "eager";
  }
}
