package io.deli.service;

import io.deli.index.IndexDefinition;
import io.deli.query.TokenRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.client.Scan;

/**
 * A request attached to a scan of the base table: return only rows of which a version of the
 * indexed column, among those the scan reads, has a token in the range. It travels as attribute
 * {@code deli.scan} of the scan:
 *
 * <pre>
 *   1 byte   format version
 *   string   name of the index
 *   ...      tokens, as {@link TokenRange#write} has them
 *   int      number of newest versions that do; 0 for all
 *   int      length of what follows; clients before this was told end here
 *   bytes    what the client takes tokens of, {@link IndexDefinition#tokenSource}, in UTF-8
 * </pre>
 *
 * <p>Strings are as {@code DataOutput.writeUTF} has them. A region server without DELI's
 * coprocessor passes over the attribute and returns every row.
 *
 * @param newest how many of these versions do, the newest in each region: rows without any of them
 *     may be left out; only for scans without filters of their own
 * @param tokenSource what the client takes tokens of; empty if it does not tell
 */
public record TokenScan(
    String index, TokenRange tokens, OptionalInt newest, Optional<String> tokenSource) {
  private static final String ATTRIBUTE = "deli.scan";
  private static final byte FORMAT = 2;

  /** Creates the request of a client that does not send its token source. */
  public TokenScan(String index, TokenRange tokens, OptionalInt newest) {
    this(index, tokens, newest, Optional.empty());
  }

  /** Whether an index of that name is what the client takes it for, as far as it tells. */
  public boolean isOf(IndexDefinition definition) {
    return tokenSource.isEmpty() || tokenSource.get().equals(definition.tokenSource());
  }

  /** Attaches the request to a scan. */
  public void askOf(Scan scan) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(FORMAT);
      out.writeUTF(index);
      tokens.write(out);
      out.writeInt(newest.orElse(0));
      if (tokenSource.isPresent()) {
        byte[] source = tokenSource.get().getBytes(StandardCharsets.UTF_8);
        out.writeInt(source.length);
        out.write(source);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory takes all", e);
    }
    scan.setAttribute(ATTRIBUTE, bytes.toByteArray());
  }

  /**
   * Reads the request attached to a scan; empty if there is none.
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
          new TokenScan(
              index,
              tokens,
              newest > 0 ? OptionalInt.of(newest) : OptionalInt.empty(),
              in.available() > 0 ? Optional.of(text(in)) : Optional.empty()));
    } catch (IOException e) {
      throw new IllegalArgumentException("not a value scan: " + e.getMessage(), e);
    }
  }

  private static String text(DataInputStream in) throws IOException {
    int length = in.readInt();
    byte[] text = in.readNBytes(length);
    if (text.length < length) {
      throw new EOFException("it ends too early");
    }
    return new String(text, StandardCharsets.UTF_8);
  }
}
