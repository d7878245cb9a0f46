package io.deli.coprocessor.internal.embedded;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.io.Writable;

/**
 * A sketch as a block among the file's own: it goes with the file wherever HBase takes it, and half
 * files have that of the whole.
 */
final class SketchBlock {
  private static final String NAME = "deli.embedded ";

  private SketchBlock() {}

  private record Content(byte[] bytes) implements Writable {
    @Override
    public void write(DataOutput out) throws IOException {
      out.write(bytes);
    }

    @Override
    public void readFields(DataInput in) {
      throw new UnsupportedOperationException("it is read at once");
    }
  }

  static void append(StoreFileWriter writer, String kind, FileSketch sketch) throws IOException {
    HBaseInternals.file(writer).appendMetaBlock(NAME + kind, new Content(sketch.toBytes()));
  }

  /** What was appended to the file, if anything was. */
  static Optional<FileSketch> read(StoreFileReader file, String kind) throws IOException {
    HFile.Reader reader = file.getHFileReader();
    HFileBlock block = reader.getMetaBlock(NAME + kind, false);
    if (block == null) {
      return Optional.empty();
    }
    try {
      ByteBuff buffer = block.getBufferWithoutHeader();
      return Optional.of(FileSketch.from(buffer.toBytes(buffer.position(), buffer.remaining())));
    } finally {
      block.release();
    }
  }
}
