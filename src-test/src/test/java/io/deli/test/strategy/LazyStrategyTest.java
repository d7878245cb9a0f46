package io.deli.test.strategy;

class LazyStrategyTest extends StrategyContract {
  @Override
  protected String strategy() {
    return "lazy";
  }
}
