package io.deli.service;

import io.deli.query.TokenRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.client.Scan;

/**
 * What a client asks of a scan of the base table: only rows of which a version of the indexed
 * column, among those the scan reads, has a token in the range. It travels as attribute {@code
 * deli.scan} of the scan:
 *
 * <pre>
 *   1 byte   format version
 *   string   name of the index
 *   ...      tokens, as {@link TokenRange#write} has them
 *   int      number of newest versions that do; 0 for all
 * </pre>
 *
 * <p>Strings are as {@code DataOutput.writeUTF} has them. A region server without DELI's
 * coprocessor passes over the attribute and returns every row.
 *
 * @param newest how many of these versions do, the newest in each region: rows without any of them
 *     may be left out; only for scans without filters of their own
 */
public record TokenScan(String index, TokenRange tokens, OptionalInt newest) {
  private static final String ATTRIBUTE = "deli.scan";
  private static final byte FORMAT = 2;

  /** Asks this of a scan. */
  public void askOf(Scan scan) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      out.writeUTF(index);
      tokens.write(out);
      out.writeInt(newest.orElse(0));
    } catch (IOException e) {
      throw new UncheckedIOException("memory takes all", e);
    }
    scan.setAttribute(ATTRIBUTE, bytes.toByteArray());
  }

  /**
   * What was asked of a scan; empty if nothing was.
   *
   * @throws IllegalArgumentException if it is in another format
   */
  public static Optional<TokenScan> of(Scan scan) {
    byte[] attribute = scan.getAttribute(ATTRIBUTE);
    if (attribute == null) {
      return Optional.empty();
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(attribute))) {
      byte format = in.readByte();
      if (format != FORMAT) {
        throw new IllegalArgumentException(
            "a value scan in format %d; this DELI reads format %d: upgrade the %s"
                .formatted(format, FORMAT, format > FORMAT ? "region servers first" : "client"));
      }
      String index = in.readUTF();
      TokenRange tokens = TokenRange.read(in);
      int newest = in.readInt();
      return Optional.of(
          new TokenScan(index, tokens, newest > 0 ? OptionalInt.of(newest) : OptionalInt.empty()));
    } catch (IOException e) {
      throw new IllegalArgumentException("not a value scan: " + e.getMessage(), e);
    }
  }
}
