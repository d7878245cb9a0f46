package io.deli.fileindex.internal.next;

import io.deli.fileindex.internal.blocks.Blocks;
import io.deli.fileindex.internal.blocks.FileIndex.Zone;
import io.deli.fileindex.internal.blocks.IntervalTree;
import io.deli.fileindex.internal.blocks.RowList;
import io.deli.fileindex.internal.blocks.Wanted;
import io.deli.fileindex.internal.hbase.MetaBlocks.Content;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.query.TokenRange;
import io.deli.strategy.Index;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.TimeRange;

/** The postings of a file, as {@code next} writes and reads them. */
record PostingIndex(
    NavigableMap<String, byte[]> blocks, FilePostings root, IntervalTree<Zone> zones) {
  private static final Index INDEX =
      Index.of(TableName.valueOf("t"), IndexDefinition.on("i", Column.parse("f:q")));
  private static final Path NOWHERE = Path.of("unused");
  private static final byte[] FIRST = {};

  /** Of the tokens of rows, which may have several of them, and be of one. */
  static PostingIndex of(NavigableMap<byte[], byte[]> keyOfRow) throws IOException {
    PostingsBuilder builder =
        new PostingsBuilder(
            INDEX,
            new ZoneSplit(4, 16, Long.MAX_VALUE),
            new PostingSorter(NOWHERE, Integer.MAX_VALUE));
    for (Map.Entry<byte[], byte[]> each : keyOfRow.entrySet()) {
      builder.add(each.getKey(), each.getValue(), 1);
    }
    NavigableMap<String, byte[]> blocks = new TreeMap<>();
    for (Map.Entry<String, Content> block :
        builder.encode(new Blocks(List.of()), () -> true).entrySet()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      block.getValue().write(new DataOutputStream(bytes));
      blocks.put(block.getKey(), bytes.toByteArray());
    }
    FilePostings root = FilePostings.from("", blocks.get(""));
    return new PostingIndex(blocks, root, new IntervalTree<>(root.zones(), Zone::tokens));
  }

  /** The bytes of all blocks. */
  long bytes() {
    return blocks.values().stream().mapToLong(block -> block.length).sum();
  }

  /** The posting blocks whose zones may have some of the tokens. */
  BitSet parts(TokenRange tokens) {
    BitSet parts = new BitSet();
    zones.overlapping(tokens, zone -> parts.set(zone.part()));
    return parts;
  }

  /** The rows with tokens in a range, and perhaps those of one more token at each end of it. */
  List<byte[]> rows(TokenRange tokens) throws IOException {
    Wanted wanted = new Wanted(INDEX, tokens, TimeRange.allTime(), FIRST, FIRST, false);
    RowList found =
        (RowList)
            root.search(
                wanted,
                parts(tokens),
                (name, content) -> content.accept(ByteBuffer.wrap(blocks.get(name))));
    return found.rows();
  }
}
