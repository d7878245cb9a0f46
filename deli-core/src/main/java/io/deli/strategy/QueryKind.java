package io.deli.strategy;

/** What queries ask for that not every strategy can answer. */
public enum QueryKind {
  OLD_VERSIONS("versions(m)", "versions that were superseded"),
  AS_OF("asOf(t)", "what was current at an earlier time");

  private final String method;
  private final String meaning;

  QueryKind(String method, String meaning) {
    this.method = method;
    this.meaning = meaning;
  }

  /** How a query asks for it. */
  public String method() {
    return method;
  }

  /** What it asks for, in words. */
  public String meaning() {
    return meaning;
  }
}
