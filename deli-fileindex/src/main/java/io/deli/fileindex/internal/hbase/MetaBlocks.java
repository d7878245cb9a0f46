package io.deli.fileindex.internal.hbase;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ObjectIntPair;
import org.apache.hadoop.io.Writable;

/**
 * Blocks among a file's own that hold no cells: they go with the file wherever HBase takes it, and
 * half files have those of the whole. In bytes, before all else: the length of the block's name, an
 * int, and the name.
 */
public final class MetaBlocks {
  private MetaBlocks() {}

  /**
   * With its name, since HBase gives the block of another name if there is none of the one asked.
   */
  private record Named(String name, Content content) implements Writable {
    @Override
    public void write(DataOutput out) throws IOException {
      byte[] own = Bytes.toBytes(name);
      out.writeInt(own.length);
      out.write(own);
      content.write(out);
    }

    @Override
    public void readFields(DataInput in) {
      throw new UnsupportedOperationException("it is read at once");
    }
  }

  /** Bytes that HBase asks for when it ends the file. */
  @FunctionalInterface
  public interface Content {
    void write(DataOutput out) throws IOException;
  }

  public static void append(StoreFileWriter writer, String name, Content content)
      throws IOException {
    StoreInternals.file(writer).appendMetaBlock(name, new Named(name, content));
  }

  /** Reads the block that was appended to the file under the name, if any; it is not cached. */
  public static Optional<byte[]> find(StoreFileReader file, String name) throws IOException {
    List<byte[]> found = new ArrayList<>(1);
    take(
        file,
        name,
        false,
        content -> {
          byte[] bytes = new byte[content.remaining()];
          content.get(bytes);
          found.add(bytes);
        });
    return found.stream().findFirst();
  }

  /**
   * Reads the block that must be there under the name, and is likely to be read again.
   *
   * @param content takes it; the memory is HBase's again afterwards
   */
  public static void read(StoreFileReader file, String name, Consumer<ByteBuffer> content)
      throws IOException {
    if (!take(file, name, true, content)) {
      throw new FileNotFoundException("no block '%s'".formatted(name));
    }
  }

  private static boolean take(
      StoreFileReader file, String name, boolean cached, Consumer<ByteBuffer> content)
      throws IOException {
    HFileBlock block = file.getHFileReader().getMetaBlock(name, cached);
    if (block == null) {
      return false;
    }
    try {
      ByteBuff all = block.getBufferWithoutHeader();
      ObjectIntPair<ByteBuffer> part = new ObjectIntPair<>();
      all.asSubByteBuffer(all.position(), all.remaining(), part);
      ByteBuffer bytes = part.getFirst().duplicate();
      bytes.limit(part.getSecond() + all.remaining()).position(part.getSecond());
      byte[] own = Bytes.toBytes(name);
      byte[] head = new byte[Math.min(own.length, Math.max(0, bytes.remaining() - Integer.BYTES))];
      if (head.length < own.length || bytes.getInt() != own.length) {
        return false;
      }
      bytes.get(head);
      if (!Arrays.equals(head, own)) {
        return false;
      }
      content.accept(bytes);
      return true;
    } finally {
      block.release();
    }
  }
}
