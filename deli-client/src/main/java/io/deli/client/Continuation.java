package io.deli.client;

import java.util.Arrays;
import java.util.Base64;

/** Opaque place in the results of a value query, for {@link ValueQuery#from}. Immutable. */
public final class Continuation {
  private final byte[] bytes;

  private Continuation(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Continuation of(byte[] bytes) {
    return new Continuation(bytes.clone());
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException if the text is no continuation
   */
  public static Continuation parse(String text) {
    try {
      Continuation read = new Continuation(Base64.getUrlDecoder().decode(text));
      if (read.toString().equals(text)) {
        return read;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new IllegalArgumentException("'" + text + "' is no continuation of a query");
  }

  public byte[] toBytes() {
    return bytes.clone();
  }

  /** Text form, safe in URLs and shells. */
  @Override
  public String toString() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Continuation that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
