package io.deli.strategy;

import io.deli.entry.Buckets;
import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.index.InvalidIndexException;
import io.deli.index.KeyColumn;
import io.deli.index.Maintenance;
import io.deli.query.TokenRange;
import io.deli.token.Tokenizer;
import io.deli.token.Tokenizers;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A definition with its tokenizer, entry codec and strategy resolved. Immutable and thread-safe.
 *
 * @param key the indexed columns, and what counts as a version of these
 * @param condition that rows of a partial index satisfy; empty if the index has all rows
 */
public record Index(
    TableName baseTable,
    IndexDefinition definition,
    KeyColumns key,
    Tokenizer tokenizer,
    EntryCodec codec,
    IndexStrategy strategy,
    Optional<EntryCondition> condition) {
  private static final String KEEPS_NOTHING = "none";

  /**
   * Resolves a definition.
   *
   * @throws InvalidIndexException if its tokenizer or strategy is unknown or does not fit
   */
  public static Index of(TableName baseTable, IndexDefinition definition) {
    IndexStrategy strategy = Strategies.named(definition.strategy());
    if (definition.maintenance() == Maintenance.SERVER) {
      requireServable(definition, strategy);
    }
    if (definition.isJoined()) {
      requireJoining(definition, strategy);
    }
    if (definition.buckets() > 1) {
      requireSaltable(definition, strategy);
    }
    if (definition.options().containsKey(IndexDefinition.VERSIONS)) {
      requireNewest(definition, strategy);
    }
    return new Index(
        baseTable,
        definition,
        new KeyColumns(definition.columns().stream().map(KeyColumn::column).toList()),
        Tokenizers.of(definition),
        new EntryCodec(definition.order(), new Buckets(definition.buckets())),
        strategy,
        condition(definition, strategy));
  }

  private static Optional<EntryCondition> condition(
      IndexDefinition definition, IndexStrategy strategy) {
    Optional<EntryCondition> condition = EntryCondition.of(definition);
    if (condition.isPresent() && !strategy.keepsTable()) {
      throw new InvalidIndexException(
          "index '%s': strategy '%s' has no entries that condition %s could save. Leave it out, or use one of '%s'."
              .formatted(
                  definition.name(),
                  strategy.name(),
                  condition.get(),
                  names(IndexStrategy::keepsTable)));
    }
    if (condition.isPresent() && definition.maintenance() == Maintenance.SERVER) {
      throw new InvalidIndexException(
          "index '%s': maintenance %s does not support condition %s: any writer may write there, and clients refuse for a partial index what would make it miss rows. Leave one of the two out."
              .formatted(definition.name(), Maintenance.SERVER, condition.get()));
    }
    if (condition.isPresent() && definition.isJoined()) {
      throw new InvalidIndexException(
          "index '%s': condition %s is not supported on several columns. Index its column as the first of them, and query for its value."
              .formatted(definition.name(), condition.get()));
    }
    return condition;
  }

  private static void requireJoining(IndexDefinition definition, IndexStrategy strategy) {
    if (!strategy.joinsColumns()) {
      throw new InvalidIndexException(
          "index '%s': strategy '%s' does not support several columns. Use one of '%s'."
              .formatted(definition.name(), strategy.name(), names(IndexStrategy::joinsColumns)));
    }
  }

  private static void requireSaltable(IndexDefinition definition, IndexStrategy strategy) {
    if (!strategy.isSaltable()) {
      throw new InvalidIndexException(
          "index '%s': strategy '%s' %s buckets. Leave them out, or use one of '%s'."
              .formatted(
                  definition.name(),
                  strategy.name(),
                  strategy.keepsTable() ? "does not support" : "has no index table for",
                  names(IndexStrategy::isSaltable)));
    }
  }

  private static void requireServable(IndexDefinition definition, IndexStrategy strategy) {
    if (!strategy.isServable()) {
      throw new InvalidIndexException(
          "index '%s': strategy '%s' %s maintenance %s. Leave that out, or use one of '%s'; '%s' need none."
              .formatted(
                  definition.name(),
                  strategy.name(),
                  strategy.keepsTable() ? "does not support" : "has no index table and needs no",
                  Maintenance.SERVER,
                  names(IndexStrategy::isServable),
                  names(each -> !each.keepsTable())));
    }
  }

  /** The names of strategies, as an error tells them. */
  private static String names(Predicate<IndexStrategy> which) {
    return String.join("', '", Strategies.names(which));
  }

  private static void requireNewest(IndexDefinition definition, IndexStrategy strategy) {
    String versions = definition.options().get(IndexDefinition.VERSIONS);
    if (!versions.equals("1")) {
      throw new InvalidIndexException(
          "index '%s': option %s must be 1, or left out for all versions that the family keeps, not '%s'"
              .formatted(definition.name(), IndexDefinition.VERSIONS, versions));
    }
    if (strategy.keepsTable() && strategy.retraction() != Retraction.AT_REWRITE) {
      throw new InvalidIndexException(
          "index '%s': strategy '%s' does not support option %s. Leave that out, or use one of '%s'."
              .formatted(
                  definition.name(),
                  strategy.name(),
                  IndexDefinition.VERSIONS,
                  names(each -> each.retraction() == Retraction.AT_REWRITE)));
    }
  }

  /** The indexes of a table, by name. */
  public static List<Index> allOf(TableDescriptor table) {
    return IndexDefinitions.of(table).stream()
        .map(definition -> of(table.getTableName(), definition))
        .toList();
  }

  /**
   * Returns the index with strategy {@code none}, whose conditions are answered by a scan of the
   * base table.
   */
  public Index scanned() {
    return new Index(
        baseTable,
        definition.withStrategy(KEEPS_NOTHING).withMaintenance(Maintenance.CLIENT),
        key,
        tokenizer,
        codec,
        Strategies.named(KEEPS_NOTHING),
        condition);
  }

  public String name() {
    return definition.name();
  }

  /** The first column. */
  public Column column() {
    return definition.column();
  }

  /** The columns of a base row that tell whether it is in the index, and with what value. */
  public List<Column> columns() {
    return Stream.concat(key.all().stream(), condition.stream().map(EntryCondition::column))
        .toList();
  }

  /** Whether a row is in the index if it has a value, by its newest versions. */
  public boolean includes(Result row) {
    return condition.isEmpty() || condition.get().holds(row);
  }

  /** The versions in a row, as read, that queries may ask for: none if the row is not included. */
  public List<Cell> included(Result row) {
    return includes(row) ? key.versions(row) : List.of();
  }

  /** Returns the kinds of queries that it cannot answer, by its strategy or its options. */
  public Set<QueryKind> unanswerable() {
    return condition.isPresent()
            || (strategy.retraction() == Retraction.AT_REWRITE
                && definition.options().containsKey(IndexDefinition.VERSIONS))
        ? Set.of(QueryKind.values())
        : strategy.unanswerable();
  }

  /** The number of the newest versions of a row whose entries it has to have, at most. */
  public int versions() {
    return unanswerable().contains(QueryKind.OLD_VERSIONS) ? 1 : Integer.MAX_VALUE;
  }

  /** The table that holds the entries of the generation that is read. */
  public TableName table() {
    return IndexDefinitions.indexTable(baseTable, name(), definition.generation());
  }

  /** Whether another index is read from the same table with the same entries. */
  public boolean reads(Index other) {
    return table().equals(other.table())
        && definition.strategy().equals(other.definition.strategy())
        && definition.order() == other.definition.order()
        && definition.tokenSource().equals(other.definition.tokenSource());
  }

  /**
   * Returns an index for each generation to maintain, each with a table of its own. The first one
   * is read.
   */
  public List<Index> generations() {
    return definition.beside() == 0
        ? List.of(this)
        : definition.generations().stream()
            .map(each -> new Index(baseTable, each, key, tokenizer, codec, strategy, condition))
            .toList();
  }

  /**
   * The entries of one base version, one for each token of its value.
   *
   * @throws IllegalArgumentException if the tokenizer does not take the value
   */
  public List<Entry> entries(BaseVersion version) {
    return tokenizer.tokens(version.value()).stream().map(token -> entry(version, token)).toList();
  }

  private static Entry entry(BaseVersion version, byte[] token) {
    return new Entry(token, version.key(), version.timestamp(), version.writeId());
  }

  /**
   * The index Puts that a version needs before the base table gets it. They take their priority
   * from the mutation that asks for them, and no time to live, which would end by the clock of
   * another server: an entry must not go before its version. They are as durable as the index table
   * has it, or forced to disk with that mutation; never less, whatever it does without: the server
   * that has the entry may die, and the one that has the version live on.
   *
   * @throws InvalidIndexException if the index cannot hold the value
   */
  public List<Put> write(BaseVersion version, Mutation origin) {
    List<Put> puts;
    try {
      puts = strategy.write(this, version);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      // A tokenizer may be the user's own code.
      throw new InvalidIndexException(
          "table %s, row '%s', column %s, index '%s': %s"
              .formatted(
                  baseTable,
                  Bytes.toStringBinary(version.key()),
                  definition.columnNames(),
                  name(),
                  e.getMessage() == null ? e : e.getMessage()),
          e);
    }
    puts.forEach(put -> inherit(put, origin));
    return puts;
  }

  private static void inherit(Put put, Mutation origin) {
    if (origin.getDurability() == Durability.FSYNC_WAL) {
      put.setDurability(Durability.FSYNC_WAL);
    }
    put.setPriority(origin.getPriority());
  }

  /** Returns a client's refusal of an Append or Increment on the indexed column. */
  public String computedRefusal(Mutation mutation) {
    return "table %s, row '%s': %s on column %s, whose value the client that maintains index '%s' does not know. %sput the new value by checkAndMutate."
        .formatted(
            baseTable,
            Bytes.toStringBinary(mutation.getRow()),
            mutation.getClass().getSimpleName(),
            column(),
            name(),
            strategy.isServable()
                ? "Create the index with --maintenance SERVER, or read and "
                : "Read and ");
  }

  /**
   * Returns a client's refusal of a mutation that could bring a row into a partial index without an
   * entry; empty if it cannot.
   *
   * @param mutation whose cells have timestamps, but for deletes of the latest version
   */
  public Optional<String> partialRefusal(Mutation mutation) {
    return condition
        .flatMap(other -> other.refusal(mutation))
        .map(
            what ->
                "table %s, row '%s': %s, by which index '%s', of rows with %s, could miss the row. Put both columns at once, delete all versions of both at once, or put another value of %s alone."
                    .formatted(
                        baseTable,
                        Bytes.toStringBinary(mutation.getRow()),
                        what,
                        name(),
                        condition.get(),
                        condition.get().column()));
  }

  /** Whether a version that a Put writes by a timestamp drawn for it needs no entries. */
  public boolean leavesOut(Put put, long timestamp) {
    return condition.isPresent() && condition.get().leavesOut(put, timestamp);
  }

  /** The entries in a row of the index table, newest first. */
  public List<Entry> entries(Result row) {
    return strategy.read(this, row);
  }

  /**
   * The deletes of the entries of a version that the base table holds, or held. None for a value
   * that the tokenizer does not take: it got there past the client.
   */
  public List<Delete> retract(BaseVersion version) {
    return retractions(version).map(marker -> EntryCodec.delete(List.of(marker))).toList();
  }

  /**
   * Returns the delete markers of a version's entries as a lazy stream: a value may have any number
   * of tokens.
   */
  public Stream<Cell> retractions(BaseVersion version) {
    List<byte[]> tokens = storedTokens(version.value());
    // Most values have one token, and a pipeline costs as much as all the rest of a delete.
    return tokens.size() == 1
        ? strategy.retract(this, entry(version, tokens.get(0))).stream()
        : tokens.stream()
            .map(token -> entry(version, token))
            .flatMap(entry -> strategy.retract(this, entry).stream());
  }

  /**
   * Whether a value that the base table holds has the token. One that the tokenizer does not take,
   * which was written past the client, has none.
   */
  public boolean hasToken(byte[] value, byte[] token) {
    return storedTokens(value).stream().anyMatch(each -> Arrays.equals(each, token));
  }

  /** Whether an entry stands for a version that the base table holds in the entry's row. */
  public boolean isOf(Entry entry, Cell version) {
    return version.getTimestamp() == entry.timestamp()
        && hasToken(CellUtil.cloneValue(version), entry.token());
  }

  /** Whether a value that the base table holds has a token in the range. */
  public boolean hasToken(byte[] value, TokenRange tokens) {
    return storedTokens(value).stream().anyMatch(tokens::contains);
  }

  /** Whether the tokenizer takes a value that the base table holds. */
  public boolean takes(byte[] value) {
    try {
      tokenizer.tokens(value);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The tokens of a value that the base table holds; none if the tokenizer does not take it. */
  public List<byte[]> storedTokens(byte[] value) {
    try {
      return tokenizer.tokens(value);
    } catch (IllegalArgumentException e) {
      return List.of();
    }
  }
}
