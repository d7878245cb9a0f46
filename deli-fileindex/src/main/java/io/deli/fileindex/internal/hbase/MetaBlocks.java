package io.deli.fileindex.internal.hbase;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;
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
  private record Content(String name, byte[] bytes) implements Writable {
    @Override
    public void write(DataOutput out) throws IOException {
      byte[] own = Bytes.toBytes(name);
      out.writeInt(own.length);
      out.write(own);
      out.write(bytes);
    }

    @Override
    public void readFields(DataInput in) {
      throw new UnsupportedOperationException("it is read at once");
    }
  }

  public static void append(StoreFileWriter writer, String name, byte[] bytes) throws IOException {
    StoreInternals.file(writer).appendMetaBlock(name, new Content(name, bytes));
  }

  /**
   * Reads the block that was appended to the file under the name, if any.
   *
   * @param cached whether it is to stay in HBase's cache
   */
  public static Optional<byte[]> find(StoreFileReader file, String name, boolean cached)
      throws IOException {
    HFileBlock block = file.getHFileReader().getMetaBlock(name, cached);
    if (block == null) {
      return Optional.empty();
    }
    try {
      ByteBuff buffer = block.getBufferWithoutHeader();
      byte[] content = buffer.toBytes(buffer.position(), buffer.remaining());
      byte[] head = Bytes.add(Bytes.toBytes(Bytes.toBytes(name).length), Bytes.toBytes(name));
      return Bytes.startsWith(content, head)
          ? Optional.of(Arrays.copyOfRange(content, head.length, content.length))
          : Optional.empty();
    } finally {
      block.release();
    }
  }

  /** The same for what must be there, and is likely to be read again. */
  public static byte[] read(StoreFileReader file, String name) throws IOException {
    return find(file, name, true)
        .orElseThrow(() -> new FileNotFoundException("no block '%s'".formatted(name)));
  }
}
