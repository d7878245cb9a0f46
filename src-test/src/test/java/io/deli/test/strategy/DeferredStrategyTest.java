package io.deli.test.strategy;

class DeferredStrategyTest extends StrategyContract {
  @Override
  protected String strategy() {
    return "deferred";
  }
}
