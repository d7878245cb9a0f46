package io.deli.index;

import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.query.TokenRange;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Strategies;
import io.deli.token.Tokenizer;
import io.deli.token.Tokenizers;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** A definition made ready for work. Immutable and thread-safe. */
public record Index(
    TableName baseTable,
    IndexDefinition definition,
    Tokenizer tokenizer,
    EntryCodec codec,
    IndexStrategy strategy) {

  /**
   * Resolves a definition.
   *
   * @throws InvalidIndexException if its tokenizer or strategy is unknown or does not fit
   */
  public static Index of(TableName baseTable, IndexDefinition definition) {
    return new Index(
        baseTable,
        definition,
        Tokenizers.of(definition),
        new EntryCodec(definition.order()),
        Strategies.named(definition.strategy()));
  }

  /** The indexes of a table, by name. */
  public static List<Index> allOf(TableDescriptor table) {
    return IndexDefinitions.of(table).stream()
        .map(definition -> of(table.getTableName(), definition))
        .toList();
  }

  public String name() {
    return definition.name();
  }

  public Column column() {
    return definition.column();
  }

  /** The table that holds the entries. */
  public TableName table() {
    return IndexDefinitions.indexTable(baseTable, name());
  }

  /**
   * The entries of one base version, one for each token of its value.
   *
   * @throws IllegalArgumentException if the tokenizer does not take the value
   */
  public List<Entry> entries(BaseVersion version) {
    return entries(version, tokenizer.tokens(version.value()));
  }

  private static List<Entry> entries(BaseVersion version, List<byte[]> tokens) {
    return tokens.stream()
        .map(token -> new Entry(token, version.key(), version.timestamp(), version.writeId()))
        .toList();
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
    return entries(version, storedTokens(version.value())).stream()
        .flatMap(entry -> strategy.retract(this, entry).stream())
        .toList();
  }

  /**
   * Whether a value that the base table holds has the token. One that the tokenizer does not take,
   * which was written past the client, has none.
   */
  public boolean hasToken(byte[] value, byte[] token) {
    return storedTokens(value).stream().anyMatch(each -> Arrays.equals(each, token));
  }

  /** Whether a value that the base table holds has a token in the range. */
  public boolean hasToken(byte[] value, TokenRange tokens) {
    return storedTokens(value).stream().anyMatch(tokens::contains);
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
