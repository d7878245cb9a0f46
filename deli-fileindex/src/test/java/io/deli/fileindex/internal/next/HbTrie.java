package io.deli.fileindex.internal.next;

import io.deli.query.TokenRange;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;

/**
 * The HB+-trie of <em>ForestDB</em> (section 3), built at once and never changed, to be compared
 * with the postings of {@code next}.
 *
 * <p>Both take 22 to 29 bytes of a key that few bytes tell from others, however long it is. Where
 * keys have twenty nested prefixes, the trie takes between 0.8 and 1.1 of the bytes, and reads two
 * or three blocks where postings read one: so these stay ({@code LongKeysFigures}).
 *
 * <p>A node has the chunks of eight bytes at one place of its keys, sorted; what all keys begin
 * with before it is skipped. A chunk leads to the row, if no other key has it, else to a node of
 * the next chunks. A leaf has the rests of its keys whole; it is extended, into a node of chunks
 * and leaves below, when that takes fewer bytes, or it no block. A node that fills more than a
 * block is divided in pages below another node. Nodes are packed into blocks, children before their
 * parents; so the root is in the last one, which stays in memory.
 */
final class HbTrie implements KeyIndex {
  private static final int CHUNK = 8;
  private static final int BLOCK = 32 << 10;
  private static final int OFFSET_BITS = 16;

  private static final byte ENTRIES = 0;
  private static final byte PAGES = 1;

  // What a name in a node stands for.
  private static final int NODE = 0;
  private static final int ROW = 1;
  private static final int ROW_OF_WHOLE_KEY = 2;
  private static final int TAG_BITS = 2;

  private final List<byte[]> blocks;
  private final long root;

  private HbTrie(List<byte[]> blocks, long root) {
    this.blocks = blocks;
    this.root = root;
  }

  static HbTrie of(NavigableMap<byte[], byte[]> keyOfRow) throws IOException {
    NavigableMap<byte[], byte[]> rows = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    keyOfRow.forEach((row, key) -> rows.put(key, row));
    Builder builder = new Builder(List.copyOf(rows.keySet()), List.copyOf(rows.values()));
    long root = builder.node(0, rows.size(), 0);
    builder.endBlock();
    return new HbTrie(builder.blocks, root);
  }

  @Override
  public long bytes() {
    return blocks.stream().mapToLong(block -> block.length).sum();
  }

  @Override
  public long resident() {
    return blocks.get(blocks.size() - 1).length;
  }

  @Override
  public int search(TokenRange keys, Consumer<byte[]> rows) {
    BitSet read = new BitSet();
    if (!keys.isEmpty()) {
      byte[] end = keys.end().orElse(null);
      new Search(keys.first(), end, read, rows).visit(root, 0, true, end != null);
    }
    read.clear(blocks.size() - 1);
    return read.cardinality();
  }

  private static final class Builder {
    /** Bytes of a name's length and its offset; of a row also its own and timestamps. */
    private static final int OF_NAME = 3;

    private static final int OF_ROW = 16;

    private final List<byte[]> keys;
    private final List<byte[]> rows;
    private final List<byte[]> blocks = new ArrayList<>();
    private final ByteArrayOutputStream block = new ByteArrayOutputStream(BLOCK);

    Builder(List<byte[]> keys, List<byte[]> rows) {
      this.keys = keys;
      this.rows = rows;
    }

    private record Entry(byte[] name, byte[] bytes) {
      static Entry of(byte[] name, int tag, byte[] row, long target) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        WritableUtils.writeVInt(out, name.length << TAG_BITS | tag);
        out.write(name);
        if (tag == NODE) {
          WritableUtils.writeVLong(out, target);
        } else {
          Bytes.writeByteArray(out, row);
          WritableUtils.writeVLong(out, 1);
          WritableUtils.writeVLong(out, 0);
        }
        return new Entry(name, bytes.toByteArray());
      }
    }

    /** Writes the node of some keys that have their first bytes in common; returns its address. */
    long node(int from, int to, int depth) throws IOException {
      if (from == to) {
        return write(ENTRIES, new byte[0], List.of());
      }
      int common = common(from, to);
      long leaf = leafBytes(from, to, common);
      if (leaf <= BLOCK && leaf <= chunkBytes(from, to, place(depth, common))) {
        List<Entry> entries = new ArrayList<>();
        for (int i = from; i < to; i++) {
          byte[] rest = Arrays.copyOfRange(keys.get(i), common, keys.get(i).length);
          entries.add(Entry.of(rest, ROW_OF_WHOLE_KEY, rows.get(i), 0));
        }
        return write(ENTRIES, Arrays.copyOfRange(keys.get(from), depth, common), entries);
      }
      int place = place(depth, common);
      List<Entry> entries = new ArrayList<>();
      for (int i = from; i < to; ) {
        int next = behindChunk(i, to, place);
        byte[] chunk = chunk(i, place);
        if (next == i + 1) {
          boolean whole = place + chunk.length == keys.get(i).length;
          entries.add(Entry.of(chunk, whole ? ROW_OF_WHOLE_KEY : ROW, rows.get(i), 0));
        } else {
          entries.add(Entry.of(chunk, NODE, null, node(i, next, place + CHUNK)));
        }
        i = next;
      }
      return write(ENTRIES, Arrays.copyOfRange(keys.get(from), depth, place), entries);
    }

    /** The length of what the keys begin with. */
    private int common(int from, int to) {
      byte[] first = keys.get(from);
      byte[] last = keys.get(to - 1);
      return Bytes.findCommonPrefix(first, last, first.length, last.length, 0, 0);
    }

    /** Returns the place of the first chunk that differs. */
    private static int place(int depth, int common) {
      return depth + (common - depth) / CHUNK * CHUNK;
    }

    private byte[] chunk(int key, int place) {
      byte[] all = keys.get(key);
      return Arrays.copyOfRange(all, place, Math.min(all.length, place + CHUNK));
    }

    private int behindChunk(int from, int to, int place) {
      byte[] chunk = chunk(from, place);
      int next = from + 1;
      while (next < to && Arrays.equals(chunk, chunk(next, place))) {
        next++;
      }
      return next;
    }

    private long leafBytes(int from, int to, int common) {
      long bytes = 0;
      for (int i = from; i < to; i++) {
        bytes += keys.get(i).length - common + OF_NAME + OF_ROW;
      }
      return bytes;
    }

    /** With leaves below, about. */
    private long chunkBytes(int from, int to, int place) {
      long bytes = 0;
      for (int i = from; i < to; ) {
        int next = behindChunk(i, to, place);
        bytes += OF_NAME + CHUNK;
        bytes += next == i + 1 ? OF_ROW : CHUNK + leafBytes(i, next, common(i, next));
        i = next;
      }
      return bytes;
    }

    private long write(byte kind, byte[] skipped, List<Entry> entries) throws IOException {
      List<Entry> pages = new ArrayList<>();
      int first = 0;
      int size = skipped.length + 2 * CHUNK;
      for (int i = 0; i < entries.size(); i++) {
        int more = entries.get(i).bytes.length + Short.BYTES;
        if (size + more > BLOCK && i > first) {
          pages.add(page(kind, entries.subList(first, i)));
          first = i;
          size = 2 * CHUNK;
        }
        size += more;
      }
      if (pages.isEmpty()) {
        return put(kind, skipped, entries);
      }
      pages.add(page(kind, entries.subList(first, entries.size())));
      return write(PAGES, skipped, pages);
    }

    private Entry page(byte kind, List<Entry> entries) throws IOException {
      return Entry.of(entries.get(0).name, NODE, null, put(kind, new byte[0], entries));
    }

    private long put(byte kind, byte[] skipped, List<Entry> entries) throws IOException {
      ByteArrayOutputStream node = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(node);
      out.writeByte(kind);
      Bytes.writeByteArray(out, skipped);
      out.writeShort(entries.size());
      int offset = 0;
      for (Entry entry : entries) {
        out.writeShort(offset);
        offset += entry.bytes.length;
      }
      for (Entry entry : entries) {
        out.write(entry.bytes);
      }
      if (block.size() + node.size() > BLOCK) {
        endBlock();
      }
      long address = (long) blocks.size() << OFFSET_BITS | block.size();
      block.write(node.toByteArray());
      return address;
    }

    void endBlock() {
      if (block.size() > 0) {
        blocks.add(block.toByteArray());
        block.reset();
      }
    }
  }

  /** A walk through the nodes with keys from one on and up to an end. */
  private final class Search {
    private final byte[] low;
    private final byte[] end;
    private final BitSet read;
    private final Consumer<byte[]> rows;

    Search(byte[] low, byte[] end, BitSet read, Consumer<byte[]> rows) {
      this.low = low;
      this.end = end;
      this.read = read;
      this.rows = rows;
    }

    /**
     * Visits a node.
     *
     * @param depth how many bytes of the keys are known
     * @param atLow whether the lower bound begins with these; if not they are greater
     * @param atEnd whether the end begins with them, and is longer; if not they are less
     */
    void visit(long address, int depth, boolean atLow, boolean atEnd) {
      int number = (int) (address >> OFFSET_BITS);
      read.set(number);
      Node node = new Node(blocks.get(number), (int) address & 0xFFFF);
      int toLow = atLow ? node.skipped.order(low, depth) : 1;
      int toEnd = atEnd ? node.skipped.orderToEnd(end, depth) : -1;
      if (toLow < 0 || toEnd > 0) {
        return;
      }
      int known = depth + node.skipped.length;
      for (int i = node.first(low, known, toLow == 0); i < node.count; i++) {
        Name name = node.name(i);
        int nameToLow = toLow == 0 ? name.order(low, known) : 1;
        int nameToEnd = toEnd == 0 ? name.orderToEnd(end, known) : -1;
        if (nameToEnd > 0) {
          return;
        }
        if (node.kind == PAGES) {
          visit(node.target(), known, toLow == 0, toEnd == 0);
        } else if (name.tag == NODE) {
          visit(node.target(), known + name.length, nameToLow == 0, nameToEnd == 0);
        } else {
          rows.accept(node.row());
        }
      }
    }
  }

  /** Some bytes of a key. */
  private record Name(byte[] bytes, int offset, int length, int tag) {
    /** Less, if keys that have them are; 0 if the bound begins with them. */
    int order(byte[] bound, int depth) {
      int left = bound.length - depth;
      int compared = Math.min(length, left);
      int order = Bytes.compareTo(bytes, offset, compared, bound, depth, compared);
      return order != 0 ? order : length > left ? 1 : 0;
    }

    /** Whether a bound that begins with them is greater than the only key that has them. */
    boolean isLess(byte[] bound, int depth) {
      return tag == ROW_OF_WHOLE_KEY && depth + length < bound.length;
    }

    /** The same, but greater if the end has no more. */
    int orderToEnd(byte[] end, int depth) {
      int order = order(end, depth);
      return order == 0 && depth + length == end.length ? 1 : order;
    }
  }

  private static final class Node {
    private final byte[] block;
    private final ByteBuffer in;
    private final byte kind;
    private final Name skipped;
    private final int count;
    private final int offsets;

    Node(byte[] block, int offset) {
      this.block = block;
      in = ByteBuffer.wrap(block).position(offset);
      kind = in.get();
      skipped = read((int) Posting.readVLong(in), 0);
      count = in.getShort() & 0xFFFF;
      offsets = in.position();
    }

    private Name read(int length, int tag) {
      Name name = new Name(block, in.position(), length, tag);
      in.position(in.position() + length);
      return name;
    }

    /** Reads a name; what it stands for can be read then. */
    Name name(int number) {
      int offset = in.getShort(offsets + Short.BYTES * number) & 0xFFFF;
      in.position(offsets + Short.BYTES * count + offset);
      int head = (int) Posting.readVLong(in);
      return read(head >>> TAG_BITS, head & ((1 << TAG_BITS) - 1));
    }

    long target() {
      return Posting.readVLong(in);
    }

    byte[] row() {
      byte[] row = new byte[(int) Posting.readVLong(in)];
      in.get(row);
      return row;
    }

    /** The first that may lead to keys from one on; of pages the last that begins before it. */
    int first(byte[] low, int depth, boolean atLow) {
      int from = 0;
      int to = atLow ? count : 0;
      while (from < to) {
        int middle = (from + to) >>> 1;
        Name name = name(middle);
        int order = name.order(low, depth);
        boolean isLess = kind == PAGES || name.isLess(low, depth);
        if (order < 0 || (order == 0 && isLess)) {
          from = middle + 1;
        } else {
          to = middle;
        }
      }
      return kind == PAGES ? Math.max(0, from - 1) : from;
    }
  }
}
