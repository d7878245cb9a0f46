package io.deli.service;

import io.deli.index.IndexDefinition;
import io.deli.query.TokenRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.client.OperationWithAttributes;

/**
 * A request attached to a scan of the base table: return only rows of which a version of the
 * indexed column, among those the scan reads, has a token in the range. Several ask for the rows
 * for which one of them does. One may be attached to a Get of the newest versions, too: to return
 * what it likes of a row that is none of these, without the indexed column. They travel as
 * attribute {@code deli.scan}:
 *
 * <pre>
 *   1 byte   format version: 2 for one, 3 for several, each as follows
 *   string   name of the index
 *   ...      tokens, as {@link TokenRange#write} has them
 *   int      number of newest versions that do; 0 for all
 *   int      length of what follows; the oldest clients end here
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
  /** How many a scan may have: each keeps candidates of its own in a region server's memory. */
  public static final int MOST_TOGETHER = 16;

  private static final String ATTRIBUTE = "deli.scan";
  private static final byte ONE = 2;
  private static final byte SEVERAL = 3;

  /**
   * Whether an index of that name is what the client takes it for, as far as it tells.
   *
   * @param source of the index's tokens
   */
  public boolean isOf(String source) {
    return tokenSource.isEmpty() || tokenSource.get().equals(source);
  }

  /**
   * Attaches requests to reads.
   *
   * @param anyOf at least one, and at most {@link #MOST_TOGETHER}
   */
  public static void ask(
      Collection<? extends OperationWithAttributes> reads, List<TokenScan> anyOf) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(anyOf.size() == 1 ? ONE : SEVERAL);
      for (TokenScan each : anyOf) {
        each.write(out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory takes all", e);
    }
    byte[] attribute = bytes.toByteArray();
    reads.forEach(read -> read.setAttribute(ATTRIBUTE, attribute));
  }

  private void write(DataOutput out) throws IOException {
    out.writeUTF(index);
    tokens.write(out);
    out.writeInt(newest.orElse(0));
    byte[] source = tokenSource.orElse("").getBytes(StandardCharsets.UTF_8);
    out.writeInt(source.length);
    out.write(source);
  }

  /**
   * Returns the requests attached to a read.
   *
   * @throws IllegalArgumentException if they are in another format, or too many
   */
  public static List<TokenScan> of(OperationWithAttributes read) {
    byte[] attribute = read.getAttribute(ATTRIBUTE);
    if (attribute == null) {
      return List.of();
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(attribute))) {
      byte format = in.readByte();
      if (format != ONE && format != SEVERAL) {
        throw new IllegalArgumentException(
            "a value scan in format %d; this DELI reads formats %d and %d: upgrade the %s"
                .formatted(format, ONE, SEVERAL, format > ONE ? "region servers first" : "client"));
      }
      List<TokenScan> anyOf = new ArrayList<>();
      do {
        if (anyOf.size() == MOST_TOGETHER) {
          throw new IllegalArgumentException(
              "a value scan for more than %d conditions; ask for the others by another scan"
                  .formatted(MOST_TOGETHER));
        }
        anyOf.add(read(in));
      } while (format == SEVERAL && in.available() > 0);
      return anyOf;
    } catch (EOFException e) {
      throw new IllegalArgumentException("not a value scan: it ends too early", e);
    } catch (IOException e) {
      throw new IllegalArgumentException("not a value scan: " + e.getMessage(), e);
    }
  }

  private static TokenScan read(DataInputStream in) throws IOException {
    String index = in.readUTF();
    TokenRange tokens = TokenRange.read(in);
    int newest = in.readInt();
    String source = in.available() > 0 ? text(in) : "";
    return new TokenScan(
        index,
        tokens,
        newest > 0 ? OptionalInt.of(newest) : OptionalInt.empty(),
        source.isEmpty() ? Optional.empty() : Optional.of(source));
  }

  private static String text(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new EOFException();
    }
    return new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }
}
