package io.deli.index;

import io.deli.token.Tokenizers;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What an index is, as kept in the base table's descriptor. Immutable; build one with {@link #on}
 * and the {@code with} methods.
 *
 * @param name letters, digits, {@code _} and {@code -}; unique in the table
 * @param column the indexed column
 * @param type how the column's values are encoded
 * @param tokenizer {@code exact}, {@code prefix} or the name of a class; see {@link Tokenizers}
 * @param strategy name of an {@link io.deli.strategy.IndexStrategy}
 * @param order order of the entries of one token
 * @param placement where entries live
 * @param maintenance who writes the entries of what is written
 * @param state what writers and readers may do
 * @param options of the tokenizer and the strategy, by name
 */
public record IndexDefinition(
    String name,
    Column column,
    ValueType type,
    String tokenizer,
    String strategy,
    EntryOrder order,
    Placement placement,
    Maintenance maintenance,
    IndexState state,
    Map<String, String> options) {
  /** Newest version of the JSON form that this code writes; it reads all up to this one. */
  public static final int FORMAT_VERSION = 2;

  public static final String DEFAULT_STRATEGY = "deferred";

  /** Option: which build the index is of, so that one is known from another. */
  public static final String BUILD = "build";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,128}");

  public IndexDefinition {
    Objects.requireNonNull(column, "column");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(tokenizer, "tokenizer");
    Objects.requireNonNull(strategy, "strategy");
    Objects.requireNonNull(order, "order");
    Objects.requireNonNull(placement, "placement");
    Objects.requireNonNull(maintenance, "maintenance");
    Objects.requireNonNull(state, "state");
    if (name == null || !NAME.matcher(name).matches()) {
      throw new InvalidIndexException(
          "index name '" + name + "': use 1 to 128 letters, digits, '_' or '-'");
    }
    options = Map.copyOf(options);
  }

  /** An active {@code deferred} index, exact, on bytes, ordered by key, maintained by clients. */
  public static IndexDefinition on(String name, Column column) {
    return new IndexDefinition(
        name,
        column,
        ValueType.BYTES,
        Tokenizers.EXACT,
        DEFAULT_STRATEGY,
        EntryOrder.BY_KEY,
        Placement.GLOBAL,
        Maintenance.CLIENT,
        IndexState.ACTIVE,
        Map.of());
  }

  public IndexDefinition withType(ValueType newType) {
    return new IndexDefinition(
        name, column, newType, tokenizer, strategy, order, placement, maintenance, state, options);
  }

  public IndexDefinition withTokenizer(String newTokenizer) {
    return new IndexDefinition(
        name, column, type, newTokenizer, strategy, order, placement, maintenance, state, options);
  }

  public IndexDefinition withStrategy(String newStrategy) {
    return new IndexDefinition(
        name, column, type, tokenizer, newStrategy, order, placement, maintenance, state, options);
  }

  public IndexDefinition withOrder(EntryOrder newOrder) {
    return new IndexDefinition(
        name, column, type, tokenizer, strategy, newOrder, placement, maintenance, state, options);
  }

  public IndexDefinition withMaintenance(Maintenance newMaintenance) {
    return new IndexDefinition(
        name, column, type, tokenizer, strategy, order, placement, newMaintenance, state, options);
  }

  public IndexDefinition withState(IndexState newState) {
    return new IndexDefinition(
        name, column, type, tokenizer, strategy, order, placement, maintenance, newState, options);
  }

  /**
   * The indexed column, and all that the tokens of a value may depend on, whenever the index was
   * built. A definition with another such text, if under the same name, is of another index.
   */
  public String tokenSource() {
    Map<String, String> ofTokens = new TreeMap<>(options);
    ofTokens.remove(BUILD);
    return String.join(" ", column.toString(), type.name(), tokenizer, ofTokens.toString());
  }

  /** Adds an option or replaces it. */
  public IndexDefinition withOption(String key, String value) {
    Map<String, String> changed = new TreeMap<>(options);
    changed.put(key, value);
    return new IndexDefinition(
        name, column, type, tokenizer, strategy, order, placement, maintenance, state, changed);
  }
}
