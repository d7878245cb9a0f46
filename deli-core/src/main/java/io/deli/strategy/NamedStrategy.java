package io.deli.strategy;

/** A strategy that is told what it is called, and what to choose it for. */
public abstract class NamedStrategy implements IndexStrategy {
  private final String name;
  private final String purpose;

  protected NamedStrategy(String name, String purpose) {
    this.name = name;
    this.purpose = purpose;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String purpose() {
    return purpose;
  }
}
