package io.deli.token;

import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.index.KeyColumn;
import io.deli.index.ValueType;
import io.deli.token.internal.ExactTokenizer;
import io.deli.token.internal.PointTokenizer;
import io.deli.token.internal.PrefixTokenizer;
import io.deli.token.internal.TupleTokenizer;
import io.deli.token.internal.TupleTokenizer.Part;
import io.deli.token.internal.TypedTokenizer;
import java.util.Optional;

/** Resolves the tokenizer that a definition names. */
public final class Tokenizers {
  /** The value itself, compared as bytes or, for a numeric column, by number. */
  public static final String EXACT = IndexDefinition.DEFAULT_TOKENIZER;

  /** Every prefix of a string up to a length, so that a prefix is found by one token. */
  public static final String PREFIX = "prefix";

  /** Option of {@link #PREFIX}: the longest prefix that gets a token, in bytes. */
  public static final String PREFIX_LENGTH = "prefix.length";

  public static final int DEFAULT_PREFIX_LENGTH = 8;

  private Tokenizers() {}

  /**
   * The tokenizer of an index.
   *
   * @throws InvalidIndexException if it does not fit the column's type, its options are wrong, or
   *     its class cannot be loaded
   */
  public static Tokenizer of(IndexDefinition definition) {
    if (definition.isJoined()) {
      return tuple(definition);
    }
    ValueType type = definition.type();
    return switch (definition.tokenizer()) {
      case EXACT -> exact(type);
      case PREFIX -> prefix(definition);
      default -> userSupplied(definition);
    };
  }

  private static Tokenizer tuple(IndexDefinition definition) {
    boolean exact = definition.tokenizer().equals(EXACT);
    if (!exact || definition.columns().stream().anyMatch(each -> each.type() == ValueType.POINT)) {
      throw new InvalidIndexException(
          "index '%s': %s gives no one place in the order of several columns. Use %s, or an index on one column."
              .formatted(
                  definition.name(),
                  exact ? "type POINT" : "tokenizer '%s'".formatted(definition.tokenizer()),
                  exact ? "two columns of numbers" : "'" + EXACT + "'"));
    }
    return new TupleTokenizer(definition.columns().stream().map(Tokenizers::part).toList());
  }

  private static Part part(KeyColumn column) {
    return new Part(exact(column.type()), column.descending());
  }

  private static Tokenizer exact(ValueType type) {
    if (type == ValueType.POINT) {
      return new PointTokenizer();
    }
    return type.isNumeric() ? new TypedTokenizer(type) : new ExactTokenizer();
  }

  /** The class of a user-supplied tokenizer; empty for those that come with DELI. */
  public static Optional<String> userClass(IndexDefinition definition) {
    String name = definition.tokenizer();
    return name.equals(EXACT) || name.equals(PREFIX) ? Optional.empty() : Optional.of(name);
  }

  private static Tokenizer prefix(IndexDefinition definition) {
    if (definition.type().isNumeric()) {
      throw new InvalidIndexException(
          "index '%s': the prefix tokenizer takes BYTES or STRING, not %s; use 'exact' for ranges of numbers"
              .formatted(definition.name(), definition.type()));
    }
    String length = definition.options().get(PREFIX_LENGTH);
    if (length == null) {
      return new PrefixTokenizer(DEFAULT_PREFIX_LENGTH);
    }
    try {
      return new PrefixTokenizer(Integer.parseInt(length));
    } catch (IllegalArgumentException e) {
      throw new InvalidIndexException(
          "index '%s': option %s must be a number from 1 to 1000, not '%s'"
              .formatted(definition.name(), PREFIX_LENGTH, length),
          e);
    }
  }

  private static Tokenizer userSupplied(IndexDefinition definition) {
    String name = definition.tokenizer();
    try {
      return load(name).asSubclass(Tokenizer.class).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
      throw new InvalidIndexException(
          "index '%s': tokenizer '%s' is neither 'exact' nor 'prefix' nor a loadable class that implements %s"
              .formatted(definition.name(), name, Tokenizer.class.getName()),
          e);
    }
  }

  /**
   * By the class loader of DELI, which on a server is that of the coprocessor's jar, then by the
   * thread's, which may be an application's. Threads of HBase's client have either, by chance.
   */
  private static Class<?> load(String name) throws ClassNotFoundException {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      return Class.forName(name, true, Thread.currentThread().getContextClassLoader());
    }
  }
}
