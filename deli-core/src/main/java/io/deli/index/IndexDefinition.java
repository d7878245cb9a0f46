package io.deli.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The definition of an index, as stored in the base table's descriptor. Immutable; start with
 * {@link #on} and the {@code with} methods.
 *
 * @param name letters, digits, {@code _} and {@code -}; unique in the table
 * @param columns the indexed columns, in the order of the entries; of one family
 * @param tokenizer {@code exact}, {@code prefix} or the name of a class that implements {@code
 *     io.deli.token.Tokenizer}
 * @param strategy name of an {@code io.deli.strategy.IndexStrategy}
 * @param order order of the entries of one token
 * @param maintenance who writes the entries of a base write
 * @param state what writers and readers may do
 * @param generation number, from 1, of the index table that is read. No number is used twice, so
 *     that a client with an older definition finds no table
 * @param beside number of another generation that is maintained too; 0 for none. A later one is
 *     being filled and will be read next; an earlier one was read before, and clients may read it
 *     for one more lease of definitions
 * @param options of the tokenizer and the strategy, by name
 */
public record IndexDefinition(
    String name,
    List<KeyColumn> columns,
    String tokenizer,
    String strategy,
    EntryOrder order,
    Maintenance maintenance,
    IndexState state,
    int generation,
    int beside,
    Map<String, String> options) {
  /** Newest version of the JSON form: the one written. Earlier versions are read as well. */
  public static final int FORMAT_VERSION = 6;

  public static final String DEFAULT_STRATEGY = "deferred";

  public static final String DEFAULT_TOKENIZER = "exact";

  /**
   * Option by which an index is never asked for old versions: {@code 1}. It answers for the newest
   * version of each row, and repair may take the entries of those that are superseded.
   */
  public static final String VERSIONS = "versions";

  /** Option that identifies the build which filled the index, or when it was enabled since. */
  public static final String BUILD = "build";

  /**
   * Option that salts the rows of the index table: the number of its buckets, 2 to 256, among which
   * a hash of the base row key divides the entries. Values that grow with time then are written to
   * all buckets, and a lookup asks all.
   */
  public static final String BUCKETS = "buckets";

  /** Option of a partial index: its condition, see {@link #withCondition}. */
  public static final String WHERE = "where";

  private static final int MOST_BUCKETS = 256;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,128}");

  public IndexDefinition {
    columns = List.copyOf(columns);
    Objects.requireNonNull(tokenizer, "tokenizer");
    Objects.requireNonNull(strategy, "strategy");
    Objects.requireNonNull(order, "order");
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
    requireOneFamily(name, columns);
    options = Map.copyOf(options);
  }

  private static void requireOneFamily(String name, List<KeyColumn> columns) {
    if (columns.isEmpty()) {
      throw new InvalidIndexException("index '%s': name a column".formatted(name));
    }
    byte[] family = columns.get(0).column().family();
    Set<Column> distinct = new HashSet<>();
    for (KeyColumn each : columns) {
      if (!distinct.add(each.column())) {
        throw new InvalidIndexException(
            "index '%s': column %s is named twice".formatted(name, each.column()));
      }
      if (!Arrays.equals(each.column().family(), family)) {
        throw new InvalidIndexException(
            "index '%s': columns %s and %s are of two families, whose files are compacted apart. Index columns of one family."
                .formatted(name, columns.get(0).column(), each.column()));
      }
    }
    if (columns.size() == 1 && columns.get(0).descending()) {
      throw new InvalidIndexException(
          "index '%s': an index on one column is read in both directions, by reversed(). Leave 'descending' out."
              .formatted(name));
    }
  }

  /** A definition while one of its parts changes. */
  private static final class Draft {
    private final IndexDefinition definition;
    private List<KeyColumn> columns;
    private String tokenizer;
    private String strategy;
    private EntryOrder order;
    private Maintenance maintenance;
    private IndexState state;
    private int generation;
    private int beside;
    private Map<String, String> options;

    private Draft(IndexDefinition definition) {
      this.definition = definition;
      columns = definition.columns;
      tokenizer = definition.tokenizer;
      strategy = definition.strategy;
      order = definition.order;
      maintenance = definition.maintenance;
      state = definition.state;
      generation = definition.generation;
      beside = definition.beside;
      options = new TreeMap<>(definition.options);
    }

    private IndexDefinition done() {
      return new IndexDefinition(
          definition.name,
          columns,
          tokenizer,
          strategy,
          order,
          maintenance,
          state,
          generation,
          beside,
          options);
    }
  }

  /**
   * Defines an active {@code deferred} index, exact, on bytes, by key, maintained by clients.
   *
   * <p>An index on several columns orders its entries by the first, then by the next. A row has a
   * value for it while the newest versions of all the columns carry one timestamp, as one mutation
   * gives them; so a Put writes all of them, with one timestamp, or none. Deletes of a column take
   * the value away. What would pair versions of different mutations is refused before anything is
   * written: a Put of some of the columns, Increments and Appends, and deletes of single versions.
   */
  public static IndexDefinition on(String name, Column... columns) {
    return new IndexDefinition(
        name,
        Stream.of(columns).map(each -> new KeyColumn(each, ValueType.BYTES, false)).toList(),
        DEFAULT_TOKENIZER,
        DEFAULT_STRATEGY,
        EntryOrder.BY_KEY,
        Maintenance.CLIENT,
        IndexState.ACTIVE,
        1,
        0,
        Map.of());
  }

  private IndexDefinition with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.done();
  }

  /** The first column. */
  public Column column() {
    return columns.get(0).column();
  }

  /** The type of the first column. */
  public ValueType type() {
    return columns.get(0).type();
  }

  /** Whether it is on several columns. */
  public boolean isJoined() {
    return columns.size() > 1;
  }

  /** Sets the types of the columns, in their order; one stands for all. */
  public IndexDefinition withType(ValueType... types) {
    if (types.length != 1 && types.length != columns.size()) {
      throw new InvalidIndexException(
          "index '%s': give one type, or one for each of its %d columns"
              .formatted(name, columns.size()));
    }
    List<KeyColumn> typed = new ArrayList<>();
    for (KeyColumn each : columns) {
      ValueType type = types[types.length == 1 ? 0 : typed.size()];
      typed.add(new KeyColumn(each.column(), type, each.descending()));
    }
    return with(draft -> draft.columns = typed);
  }

  /** Puts greater values of a column first. */
  public IndexDefinition withDescending(Column column) {
    UnaryOperator<KeyColumn> turned =
        each -> each.column().equals(column) ? new KeyColumn(column, each.type(), true) : each;
    if (columns.stream().noneMatch(each -> each.column().equals(column))) {
      throw new InvalidIndexException(
          "index '%s' is not on column %s, which was to be descending".formatted(name, column));
    }
    return with(draft -> draft.columns = columns.stream().map(turned).toList());
  }

  public IndexDefinition withTokenizer(String newTokenizer) {
    return with(draft -> draft.tokenizer = newTokenizer);
  }

  public IndexDefinition withStrategy(String newStrategy) {
    return with(draft -> draft.strategy = newStrategy);
  }

  public IndexDefinition withOrder(EntryOrder newOrder) {
    return with(draft -> draft.order = newOrder);
  }

  public IndexDefinition withMaintenance(Maintenance newMaintenance) {
    return with(draft -> draft.maintenance = newMaintenance);
  }

  public IndexDefinition withState(IndexState newState) {
    return with(draft -> draft.state = newState);
  }

  /** Adds an option or replaces it. */
  public IndexDefinition withOption(String key, String value) {
    return with(draft -> draft.options.put(key, value));
  }

  /**
   * Restricts the index to rows in which another column of the same family has a value. Of values
   * that were written, those have entries that came with it in one Put; {@code
   * io.deli.strategy.EntryCondition} tells which writes are refused for that. A query says that it
   * asks for such rows only, by a condition on that column, and for the newest versions.
   */
  public IndexDefinition withCondition(Column other, byte[] value) {
    // The first '=' ends the column.
    return withOption(
        WHERE, other.toString().replace("=", "\\x3D") + "=" + Bytes.toStringBinary(value));
  }

  /** Returns the definition with this generation only. */
  public IndexDefinition at(int number) {
    return with(number, 0);
  }

  /** Returns the definition with another generation maintained beside its own; 0 for none. */
  public IndexDefinition withBeside(int number) {
    return with(generation, number);
  }

  /** Swaps the two generations: the one beside is read from now on. */
  public IndexDefinition switched() {
    return with(beside, generation);
  }

  private IndexDefinition with(int read, int filled) {
    return with(
        draft -> {
          draft.generation = read;
          draft.beside = filled;
        });
  }

  /**
   * The buckets of the index table; 1 if its rows have no salt.
   *
   * @throws InvalidIndexException if the option is no such number
   */
  public int buckets() {
    String number = options.get(BUCKETS);
    if (number == null) {
      return 1;
    }
    try {
      int buckets = Integer.parseInt(number);
      if (buckets > 1 && buckets <= MOST_BUCKETS) {
        return buckets;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new InvalidIndexException(
        "index '%s': option %s must be a number from 2 to %d, not '%s'"
            .formatted(name, BUCKETS, MOST_BUCKETS, number));
  }

  /** Whether a later generation is being filled beside the one that is read. */
  public boolean isRebuilt() {
    return beside > generation;
  }

  /** Returns a definition for each generation alone; the one that is read is first. */
  public List<IndexDefinition> generations() {
    return beside == 0 ? List.of(this) : List.of(at(generation), at(beside));
  }

  /**
   * Describes the indexed columns and everything that the tokens of a value, and the buckets of
   * their entries, depend on, whichever build filled the index. Definitions whose descriptions
   * differ are of different indexes, even under one name.
   */
  public String tokenSource() {
    Map<String, String> ofTokens = new TreeMap<>(options);
    ofTokens.remove(BUILD);
    return String.join(" ", columnNames(), typeNames(), tokenizer, ofTokens.toString());
  }

  /** The columns as text. */
  public String columnNames() {
    return columns.stream().map(KeyColumn::toString).collect(Collectors.joining(", "));
  }

  /** The types of the columns as text. */
  public String typeNames() {
    return columns.stream().map(each -> each.type().name()).collect(Collectors.joining(", "));
  }
}
