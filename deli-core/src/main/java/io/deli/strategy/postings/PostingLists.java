package io.deli.strategy.postings;

import io.deli.config.Setting;
import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.entry.TokenEncoding;
import io.deli.query.TokenRange;
import io.deli.query.ValuePredicate;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.CellMerger;
import io.deli.strategy.Cost;
import io.deli.strategy.Index;
import io.deli.strategy.Lookup;
import io.deli.strategy.MergeTime;
import io.deli.strategy.NamedStrategy;
import io.deli.strategy.Retraction;
import io.deli.strategy.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;

/**
 * Keeps one posting list for each token. The strategies that do so differ only in the moment at
 * which written postings are merged into the lists.
 */
public abstract class PostingLists extends NamedStrategy {
  public static final Setting<Integer> LIST_BYTES =
      Setting.count(
          "deli.list.bytes",
          16 << 10,
          1,
          "Bytes of one cell of a posting list, above which the list is cut. The index table's"
              + " descriptor may override it.");

  /** Bytes of a posting besides its key: the time since the one before, two lengths. */
  private static final int POSTING = 4;

  private final MergeTime mergeTime;

  protected PostingLists(String name, String purpose, MergeTime mergeTime) {
    super(name, purpose);
    this.mergeTime = mergeTime;
  }

  @Override
  public final MergeTime mergeTime() {
    return mergeTime;
  }

  @Override
  public Setting<Integer> mergedBytes() {
    return LIST_BYTES;
  }

  @Override
  public final List<Setting<?>> settings() {
    return List.of(mergedBytes());
  }

  @Override
  public final Retraction retraction() {
    return Retraction.AT_DELETE;
  }

  @Override
  public final List<Put> write(Index index, BaseVersion version) {
    return index.entries(version).stream().map(entry -> put(entry)).toList();
  }

  /** Estimates that a write which merges costs one cell of the list at most, for lists are cut. */
  @Override
  public final Optional<Cost> cost(Workload work) {
    double posting = work.keyBytes() + POSTING;
    boolean merges = mergeTime == MergeTime.AT_WRITE;
    double list = work.rows() / work.distinct() * work.everWritten() * posting;
    return Optional.of(
        work.withTable(
            name(),
            2,
            merges ? 1 : 0,
            merges ? Math.min(list, mergedBytes().fallback()) : work.entryBytes(),
            work.everWritten(),
            posting));
  }

  private static Put put(Entry entry) {
    byte[] row = TokenEncoding.encode(entry.token());
    if (EntryCodec.isTooLong(row)) {
      throw new IllegalArgumentException(
          "a token of %d bytes exceeds HBase's row limit, less the name of a region: %d bytes. Use a tokenizer that shortens the value."
              .formatted(entry.token().length, EntryCodec.LONGEST_ROW));
    }
    return new Put(row, entry.timestamp())
        .addColumn(
            EntryCodec.family(),
            PostingCodec.qualifier(posting(entry)),
            entry.timestamp(),
            HConstants.EMPTY_BYTE_ARRAY);
  }

  private static PostingListEntry posting(Entry entry) {
    return new PostingListEntry(entry.key(), entry.timestamp(), entry.writeId());
  }

  @Override
  public final Optional<Cell> retract(Index index, Entry entry) {
    byte[] row = TokenEncoding.encode(entry.token());
    return EntryCodec.isOutOfReach(index.table(), row)
        ? Optional.empty()
        : Optional.of(EntryCodec.marker(row, PostingCodec.qualifier(posting(entry)), entry));
  }

  /** Reads, of the entry's row, the cells that begin at it or before and do not end before it. */
  @Override
  public final Optional<Get> find(Index index, Entry entry) {
    return super.find(index, entry).map(get -> reachingTo(posting(entry), get));
  }

  private static Get reachingTo(PostingListEntry posting, Get get) {
    try {
      return get.setTimeRange(0, posting.timestamp() + 1)
          .setFilter(new ColumnRangeFilter(null, true, PostingCodec.behind(posting), false));
    } catch (IOException e) {
      throw new UncheckedIOException("a cell has a timestamp of at least 0", e);
    }
  }

  /**
   * Keeps a stale posting that names the cell while others follow it, unless the merge at
   * compactions gives the cell a name anew: readers take it that no cell behind this one has
   * anything newer than its first posting.
   */
  @Override
  public final Optional<Cell> without(Index index, Cell cell, Set<Entry> stale) {
    byte[] token = token(CellUtil.cloneRow(cell));
    List<PostingListEntry> left = new ArrayList<>(PostingCodec.postings(cell));
    PostingListEntry first = left.get(0);
    if (!left.removeIf(posting -> stale.contains(entry(token, posting)))) {
      return Optional.of(cell);
    }
    if (left.isEmpty()) {
      return Optional.empty();
    }
    if (mergeTime == MergeTime.AT_WRITE && !left.get(0).sharesPlaceWith(first)) {
      left.add(0, first);
    }
    return Optional.of(PostingCodec.cell(cell, left));
  }

  private static byte[] token(byte[] row) {
    return TokenEncoding.decode(row, TokenEncoding.length(row));
  }

  private static Entry entry(byte[] token, PostingListEntry posting) {
    return new Entry(token, posting.key(), posting.timestamp(), posting.id());
  }

  @Override
  public final List<Entry> read(Index index, Result row) {
    byte[] token = token(row.getRow());
    List<PostingListEntry> postings = new ArrayList<>();
    for (Cell cell : row.rawCells()) {
      postings.addAll(PostingCodec.postings(cell));
    }
    return postings.stream().sorted().distinct().map(posting -> entry(token, posting)).toList();
  }

  @Override
  public final Lookup lookup(Index index, ValuePredicate predicate) {
    TokenRange tokens = EntryCodec.storable(index.tokenizer().range(predicate));
    return new Lookup(
        index.table(),
        index.codec().rows(tokens),
        tokens,
        row -> read(index, row),
        Lookup.Rows.LISTS);
  }

  @Override
  public final CellMerger merger(int bytes, boolean all, RandomGenerator random) {
    return new PostingListMerger(bytes, all, mergeTime != MergeTime.AT_WRITE, random);
  }
}
