package io.deli.test.strategy;

class ForeignStrategyTest extends StrategyContract {
  @Override
  protected String strategy() {
    return ForeignStrategy.NAME;
  }
}
