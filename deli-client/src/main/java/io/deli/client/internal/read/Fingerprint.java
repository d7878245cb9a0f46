package io.deli.client.internal.read;

import io.deli.client.ValueQuery;
import io.deli.index.IndexDefinition;
import io.deli.query.ValuePredicate;
import io.deli.query.ValuePredicate.Between;
import io.deli.query.ValuePredicate.Bound;
import io.deli.query.ValuePredicate.EqualTo;
import io.deli.query.ValuePredicate.Leading;
import io.deli.query.ValuePredicate.Prefix;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;

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
    add(digest, base.getName());
    for (Conjunction conjunction : conjunctions) {
      digest.update(Bytes.toBytes(conjunction.others().size()));
      conjunction.tests().forEach(test -> add(digest, test));
    }
    add(digest, options.reversed() + "|" + options.asOf() + "|" + options.versions());
    add(digest, options.mostRecent().toString());
    if (!options.rows().areAll()) {
      add(digest, options.rows().from());
      add(digest, options.rows().before());
    }
    return Arrays.copyOf(digest.digest(), LENGTH);
  }

  boolean matches(byte[] other) {
    return Arrays.equals(bytes(), other);
  }

  private static void add(MessageDigest digest, IndexCondition test) {
    IndexDefinition definition = test.index().definition();
    add(digest, definition.name());
    add(digest, definition.columnNames());
    add(digest, definition.typeNames() + "|" + definition.order() + "|" + definition.strategy());
    add(digest, definition.tokenizer());
    // Whenever it was built, it has the same entries in the same order.
    Map<String, String> options = new TreeMap<>(definition.options());
    options.remove(IndexDefinition.BUILD);
    add(digest, options.toString());
    add(digest, test.predicate());
  }

  private static void add(MessageDigest digest, ValuePredicate predicate) {
    if (predicate instanceof EqualTo equal) {
      digest.update((byte) 1);
      add(digest, equal.value());
    } else if (predicate instanceof Prefix prefix) {
      digest.update((byte) 2);
      add(digest, prefix.prefix());
    } else if (predicate instanceof Between between) {
      digest.update((byte) 3);
      add(digest, between.low());
      add(digest, between.high());
    } else if (predicate instanceof Leading leading) {
      digest.update((byte) 4);
      digest.update(Bytes.toBytes(leading.values().size()));
      leading.values().forEach(value -> add(digest, value));
      add(digest, leading.next());
    }
  }

  private static void add(MessageDigest digest, Optional<Bound> bound) {
    digest.update((byte) bound.map(b -> b.inclusive() ? 2 : 1).orElse(0).intValue());
    bound.ifPresent(b -> add(digest, b.value()));
  }

  private static void add(MessageDigest digest, String text) {
    add(digest, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void add(MessageDigest digest, byte[] bytes) {
    digest.update(Bytes.toBytes(bytes.length));
    digest.update(bytes);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
