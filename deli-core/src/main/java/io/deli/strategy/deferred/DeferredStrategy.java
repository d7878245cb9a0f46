package io.deli.strategy.deferred;

import com.google.auto.service.AutoService;
import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.index.EntryOrder;
import io.deli.index.Index;
import io.deli.query.TokenRange;
import io.deli.query.ValuePredicate;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Lookup;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/** One entry per token: put before the base version, deleted when that version dies. */
@AutoService(IndexStrategy.class)
public final class DeferredStrategy implements IndexStrategy {
  @Override
  public String name() {
    return "deferred";
  }

  @Override
  public List<Put> write(Index index, BaseVersion version) {
    return entries(index, version).stream().map(entry -> put(index, entry)).toList();
  }

  @Override
  public List<Delete> rewrite(Index index, BaseVersion dying) {
    List<Entry> entries;
    try {
      entries = entries(index, dying);
    } catch (IllegalArgumentException e) {
      // A value that the tokenizer refuses was refused when written, so it has no entries; it got
      // here past the client.
      return List.of();
    }
    return entries.stream()
        .filter(entry -> !EntryCodec.exceedsLimit(index.codec().row(entry)))
        .map(index.codec()::delete)
        .toList();
  }

  @Override
  public Lookup lookup(Index index, ValuePredicate predicate) {
    TokenRange tokens = index.tokenizer().range(predicate);
    EntryCodec codec = index.codec();
    return new Lookup(
        index.table(),
        codec.startRow(tokens),
        tokens.isEmpty() ? codec.startRow(tokens) : codec.stopRow(tokens),
        tokens,
        row -> decode(codec, row),
        index.definition().order() == EntryOrder.BY_TIME && tokens.isSingle());
  }

  private static List<Entry> entries(Index index, BaseVersion version) {
    return index.entries(version.key(), version.value(), version.timestamp(), version.writeId());
  }

  private static Put put(Index index, Entry entry) {
    if (EntryCodec.exceedsLimit(index.codec().row(entry))) {
      throw new IllegalArgumentException(
          "index '%s': the entry of a token of %d bytes and a row key of %d bytes exceeds HBase's row limit of %d bytes; use a tokenizer that shortens the value"
              .formatted(
                  index.name(),
                  entry.token().length,
                  entry.key().length,
                  HConstants.MAX_ROW_LENGTH));
    }
    return index.codec().put(entry);
  }

  private static List<Entry> decode(EntryCodec codec, Result row) {
    List<Entry> entries = new ArrayList<>(row.size());
    for (Cell cell : row.rawCells()) {
      entries.add(codec.decode(cell));
    }
    entries.sort((a, b) -> Long.compare(b.timestamp(), a.timestamp()));
    return entries;
  }
}
