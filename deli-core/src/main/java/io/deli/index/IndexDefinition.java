package io.deli.index;

import io.deli.token.Tokenizers;
import java.util.List;
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
 * @param generation which of the tables that the index had or has is read, from 1; none of a number
 *     is ever another's, so that whoever goes by an older definition finds no table
 * @param beside another generation that is maintained, too; 0 if none is. A later one is being
 *     filled, to be read in the place of the present one; an earlier one is that which was read
 *     before, and may be for one lease of definitions
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
    int generation,
    int beside,
    Map<String, String> options) {
  /** Newest version of the JSON form that this code writes; it reads all up to this one. */
  public static final int FORMAT_VERSION = 3;

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
    if (generation < 1 || beside < 0 || beside == generation) {
      throw new InvalidIndexException(
          "index '%s': generation %d beside %d".formatted(name, beside, generation));
    }
    options = Map.copyOf(options);
  }

  /** One of the first generation. */
  public IndexDefinition(
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
    this(
        name,
        column,
        type,
        tokenizer,
        strategy,
        order,
        placement,
        maintenance,
        state,
        1,
        0,
        options);
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
        name,
        column,
        newType,
        tokenizer,
        strategy,
        order,
        placement,
        maintenance,
        state,
        generation,
        beside,
        options);
  }

  public IndexDefinition withTokenizer(String newTokenizer) {
    return new IndexDefinition(
        name,
        column,
        type,
        newTokenizer,
        strategy,
        order,
        placement,
        maintenance,
        state,
        generation,
        beside,
        options);
  }

  public IndexDefinition withStrategy(String newStrategy) {
    return new IndexDefinition(
        name,
        column,
        type,
        tokenizer,
        newStrategy,
        order,
        placement,
        maintenance,
        state,
        generation,
        beside,
        options);
  }

  public IndexDefinition withOrder(EntryOrder newOrder) {
    return new IndexDefinition(
        name,
        column,
        type,
        tokenizer,
        strategy,
        newOrder,
        placement,
        maintenance,
        state,
        generation,
        beside,
        options);
  }

  public IndexDefinition withMaintenance(Maintenance newMaintenance) {
    return new IndexDefinition(
        name,
        column,
        type,
        tokenizer,
        strategy,
        order,
        placement,
        newMaintenance,
        state,
        generation,
        beside,
        options);
  }

  public IndexDefinition withState(IndexState newState) {
    return new IndexDefinition(
        name,
        column,
        type,
        tokenizer,
        strategy,
        order,
        placement,
        maintenance,
        newState,
        generation,
        beside,
        options);
  }

  /** The same with one generation only, that of the number. */
  public IndexDefinition at(int number) {
    return with(number, 0);
  }

  /** The same with another generation to be maintained, too; 0 for none. */
  public IndexDefinition withBeside(int number) {
    return with(generation, number);
  }

  /** The same with the generations in each other's place: the other one is read. */
  public IndexDefinition switched() {
    return at(beside).withBeside(generation);
  }

  private IndexDefinition with(int newGeneration, int newBeside) {
    return new IndexDefinition(
        name,
        column,
        type,
        tokenizer,
        strategy,
        order,
        placement,
        maintenance,
        state,
        newGeneration,
        newBeside,
        options);
  }

  /** Whether a later generation is being filled beside the one that is read. */
  public boolean isRebuilt() {
    return beside > generation;
  }

  /** The same for each of its generations, with that one only; the one that is read is first. */
  public List<IndexDefinition> generations() {
    return beside == 0 ? List.of(this) : List.of(at(generation), at(beside));
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
        name,
        column,
        type,
        tokenizer,
        strategy,
        order,
        placement,
        maintenance,
        state,
        generation,
        beside,
        changed);
  }
}
