package io.deli.client.internal.read;

import io.deli.client.ValueQuery;
import io.deli.index.IndexDefinition;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;

/**
 * Digest of what decides a query's hits and their order: table, definitions, conditions, and the
 * options reversed, asOf, versions, mostRecent and rows. Limit and projection may change from one
 * page to the next. Taken when it is first asked for: most queries end without a continuation.
 */
final class Fingerprint {
  static final int LENGTH = 16;

  private final TableName base;
  private final List<Conjunction> conjunctions;
  private final ValueQuery.Options options;
  private byte[] bytes;

  Fingerprint(TableName base, List<Conjunction> conjunctions, ValueQuery.Options options) {
    this.base = base;
    this.conjunctions = conjunctions;
    this.options = options;
  }

  synchronized byte[] bytes() {
    if (bytes == null) {
      bytes = digest();
    }
    return bytes;
  }

  private byte[] digest() {
    MessageDigest digest = sha256();
    try {
      write(new DataOutputStream(new DigestOutputStream(OutputStream.nullOutputStream(), digest)));
    } catch (IOException e) {
      throw new UncheckedIOException("a digest takes all", e);
    }
    return Arrays.copyOf(digest.digest(), LENGTH);
  }

  private void write(DataOutput out) throws IOException {
    write(out, base.getName());
    for (Conjunction conjunction : conjunctions) {
      out.writeInt(conjunction.others().size());
      for (IndexCondition test : conjunction.tests()) {
        write(out, test);
      }
    }
    write(out, options.reversed() + "|" + options.asOf() + "|" + options.versions());
    write(out, options.mostRecent().toString());
    if (!options.rows().areAll()) {
      write(out, options.rows().from());
      write(out, options.rows().before());
    }
  }

  boolean matches(byte[] other) {
    return Arrays.equals(bytes(), other);
  }

  private static void write(DataOutput out, IndexCondition test) throws IOException {
    IndexDefinition definition = test.index().definition();
    write(out, definition.name());
    write(out, definition.columnNames());
    write(out, definition.typeNames() + "|" + definition.order() + "|" + definition.strategy());
    write(out, definition.tokenizer());
    // Whenever it was built, it has the same entries in the same order.
    Map<String, String> options = new TreeMap<>(definition.options());
    options.remove(IndexDefinition.BUILD);
    write(out, options.toString());
    test.predicate().write(out);
  }

  private static void write(DataOutput out, String text) throws IOException {
    write(out, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void write(DataOutput out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
