package io.deli.index;

/**
 * A definition, or a use of one, that cannot be right; the message names the thing and the cure.
 */
public final class InvalidIndexException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public InvalidIndexException(String message) {
    super(message);
  }

  public InvalidIndexException(String message, Throwable cause) {
    super(message, cause);
  }
}
