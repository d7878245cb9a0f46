package io.deli.fileindex.internal.next;

import io.deli.query.TokenRange;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Measures the forms of an index of a file's tokens on the key patterns of <em>ForestDB</em> (Table
 * 2, Figures 12 and 13), each key with a row of eight random bytes, all blocks in memory.
 */
final class LongKeysFigures {
  private static final int[] LENGTHS = {8, 16, 64, 256, 1_024};
  private static final int LOOKUPS = 20_000;
  private static final int RANGE = 20;

  /** Makes a key of a number. */
  private interface Pattern {
    byte[] key(Random random);
  }

  private LongKeysFigures() {}

  /**
   * Prints a table.
   *
   * @param arguments the number of keys
   */
  public static void main(String[] arguments) throws Exception {
    int count = arguments.length == 0 ? 50_000 : Integer.parseInt(arguments[0]);
    Map<String, KeyIndex.Form> forms = new LinkedHashMap<>();
    forms.put("postings", PostingIndex::of);
    forms.put("HB+-trie", HbTrie::of);
    System.out.println(
        "| keys | form | bytes/key | in memory/key | CPU of building, us/key | blocks, us of a lookup"
            + " | of a range of 20 |\n|---|---|---|---|---|---|---|");
    for (Map.Entry<String, Pattern> pattern : patterns().entrySet()) {
      NavigableMap<byte[], byte[]> keyOfRow = keys(pattern.getValue(), count);
      for (Map.Entry<String, KeyIndex.Form> form : forms.entrySet()) {
        measure(form.getValue(), keyOfRow);
        System.out.printf(
            Locale.ROOT,
            "| %s | %s | %s |%n",
            pattern.getKey(),
            form.getKey(),
            measure(form.getValue(), keyOfRow));
      }
    }
  }

  private static Map<String, Pattern> patterns() {
    Map<String, Pattern> patterns = new LinkedHashMap<>();
    for (int length : LENGTHS) {
      patterns.put("random, " + length, random -> bytes(random, length));
    }
    byte[][] small = prefixes(100);
    patterns.put("small, 65", random -> Bytes.add(small[random.nextInt(100)], bytes(random, 55)));
    byte[][] first = prefixes(192);
    byte[][] second = prefixes(192);
    for (int length : new int[] {64, 256, 1_024}) {
      patterns.put(
          "2-level, " + length,
          random ->
              Bytes.add(
                  first[random.nextInt(192)],
                  second[random.nextInt(192)],
                  bytes(random, length - 20)));
    }
    byte[][] levels = prefixes(40);
    for (int longer : new int[] {1, 5}) {
      patterns.put(
          "worst, " + 198 * longer,
          random -> {
            byte[] key = {};
            for (int level = 0; level < 20; level++) {
              byte[] prefix = levels[2 * level + random.nextInt(2)];
              for (int i = 0; i < longer; i++) {
                key = Bytes.add(key, prefix);
              }
            }
            return key;
          });
    }
    return patterns;
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[][] prefixes(int count) {
    Random random = new Random(count);
    byte[][] all = new byte[count][];
    Arrays.setAll(all, i -> bytes(random, 10));
    return all;
  }

  private static NavigableMap<byte[], byte[]> keys(Pattern pattern, int count) {
    Random random = new Random(1);
    NavigableMap<byte[], byte[]> rowOfKey = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    while (rowOfKey.size() < count) {
      rowOfKey.put(pattern.key(random), bytes(random, Long.BYTES));
    }
    NavigableMap<byte[], byte[]> keyOfRow = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    rowOfKey.forEach((key, row) -> keyOfRow.put(row, key));
    return keyOfRow;
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static String measure(KeyIndex.Form form, NavigableMap<byte[], byte[]> keyOfRow)
      throws Exception {
    double count = keyOfRow.size();
    long begun = cpu();
    KeyIndex index = form.of(keyOfRow);
    double built = (cpu() - begun) / 1e3 / count;
    List<byte[]> sorted = new ArrayList<>(keyOfRow.values());
    sorted.sort(Bytes.BYTES_COMPARATOR);
    Random random = new Random(2);
    List<TokenRange> single = new ArrayList<>();
    List<TokenRange> ranges = new ArrayList<>();
    for (int i = 0; i < LOOKUPS; i++) {
      int at = random.nextInt(sorted.size() - RANGE);
      single.add(TokenRange.only(sorted.get(at)));
      ranges.add(TokenRange.of(sorted.get(at), Optional.of(sorted.get(at + RANGE))));
    }
    return String.format(
        Locale.ROOT,
        "%.1f | %.2f | %.2f | %s | %s",
        index.bytes() / count,
        index.resident() / count,
        built,
        search(index, single),
        search(index, ranges));
  }

  private static String search(KeyIndex index, List<TokenRange> all) throws Exception {
    long blocks = 0;
    int[] found = {0};
    long begun = cpu();
    for (TokenRange range : all) {
      blocks += index.search(range, row -> found[0]++);
    }
    double micros = (cpu() - begun) / 1e3;
    if (found[0] < all.size()) {
      throw new AssertionError(found[0] + " rows found of " + all.size());
    }
    return String.format(
        Locale.ROOT, "%.2f, %.2f", blocks / (double) all.size(), micros / all.size());
  }
}
