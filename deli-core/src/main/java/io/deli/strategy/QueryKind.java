package io.deli.strategy;

/** A kind of query that not every strategy can answer. */
public enum QueryKind {
  OLD_VERSIONS("versions(m)", "versions that were superseded"),
  AS_OF("asOf(t)", "what was current at an earlier time");

  private final String method;
  private final String meaning;

  QueryKind(String method, String meaning) {
    this.method = method;
    this.meaning = meaning;
  }

  /** Returns the method of {@code ValueQuery} that asks for it. */
  public String method() {
    return method;
  }

  /** Returns a description for error texts. */
  public String meaning() {
    return meaning;
  }
}
