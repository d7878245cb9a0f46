package io.deli.test.strategy;

import com.google.auto.service.AutoService;
import io.deli.entry.Entry;
import io.deli.entry.EntryCodec;
import io.deli.entry.WriteId;
import io.deli.index.EntryOrder;
import io.deli.query.TokenRange;
import io.deli.query.ValuePredicate;
import io.deli.strategy.BaseVersion;
import io.deli.strategy.Cost;
import io.deli.strategy.Index;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Lookup;
import io.deli.strategy.Retraction;
import io.deli.strategy.Workload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A strategy that somebody else might write, by the public interface and nothing else, with a
 * format of its own: rows that one can read, {@code hex(token)/hex(key)}, with the inverted
 * timestamp in between if the order is by time, and the write id in the qualifier behind a {@code
 * w}.
 */
@AutoService(IndexStrategy.class)
public final class ForeignStrategy implements IndexStrategy {
  static final String NAME = "foreign";

  private static final byte[] FAMILY = Bytes.toBytes("e");
  private static final HexFormat HEX = HexFormat.of();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String purpose() {
    return "entries that one can read in HBase's shell";
  }

  @Override
  public Optional<Cost> cost(Workload work) {
    double bytes = 2 * work.entryBytes();
    return Optional.of(work.withTable(name(), 2, 0, bytes, 1, bytes));
  }

  @Override
  public Retraction retraction() {
    return Retraction.AT_REWRITE;
  }

  private static boolean isByTime(Index index) {
    return index.definition().order() == EntryOrder.BY_TIME;
  }

  private static byte[] row(Index index, Entry entry) {
    String time = "/" + HEX.toHexDigits(Long.MAX_VALUE - entry.timestamp());
    return Bytes.toBytes(
        HEX.formatHex(entry.token())
            + (isByTime(index) ? time : "")
            + "/"
            + HEX.formatHex(entry.key()));
  }

  private static byte[] qualifier(WriteId id) {
    return Bytes.add(Bytes.toBytes("w"), id.toBytes());
  }

  @Override
  public List<Put> write(Index index, BaseVersion version) {
    List<Put> puts = new ArrayList<>();
    for (Entry entry : index.entries(version)) {
      byte[] row = row(index, entry);
      if (EntryCodec.isTooLong(row)) {
        throw new IllegalArgumentException("the value is too long");
      }
      puts.add(
          new Put(row)
              .addColumn(
                  FAMILY, qualifier(entry.writeId()), entry.timestamp(), Bytes.toBytes("here")));
    }
    return puts;
  }

  @Override
  public Optional<Cell> retract(Index index, Entry entry) {
    byte[] row = row(index, entry);
    return EntryCodec.isOutOfReach(index.table(), row)
        ? Optional.empty()
        : Optional.of(EntryCodec.marker(row, qualifier(entry.writeId()), entry));
  }

  /** {@code /} comes before the digits, so that the order of rows is that of tokens. */
  @Override
  public Lookup lookup(Index index, ValuePredicate predicate) {
    TokenRange tokens = index.tokenizer().range(predicate);
    byte[] start = Bytes.toBytes(HEX.formatHex(tokens.first()));
    byte[] stop = tokens.end().map(HEX::formatHex).map(Bytes::toBytes).orElse(new byte[0]);
    return new Lookup(
        index.table(),
        List.of(new RowRange(start, true, stop, false)),
        tokens,
        row -> read(index, row),
        isByTime(index) && tokens.isSingle() ? Lookup.Rows.NEWEST_FIRST : Lookup.Rows.UNORDERED);
  }

  @Override
  public List<Entry> read(Index index, Result row) {
    String[] parts = new String(row.getRow(), StandardCharsets.US_ASCII).split("/", -1);
    List<Entry> entries = new ArrayList<>();
    for (Cell cell : row.rawCells()) {
      byte[] qualifier = CellUtil.cloneQualifier(cell);
      entries.add(
          new Entry(
              HEX.parseHex(parts[0]),
              HEX.parseHex(parts[parts.length - 1]),
              cell.getTimestamp(),
              WriteId.from(Bytes.tail(qualifier, qualifier.length - 1))));
    }
    entries.sort((a, b) -> Long.compare(b.timestamp(), a.timestamp()));
    return entries;
  }
}
