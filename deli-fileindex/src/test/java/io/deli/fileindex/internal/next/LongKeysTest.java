package io.deli.fileindex.internal.next;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.query.TokenRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Lookups of keys of any length find all rows that a map of them has, and of each end of a range
 * the rows of one more key at most: those are compared with their keys anyway.
 */
class LongKeysTest {
  private static final int SHORTEST = 8;
  private static final int LONGEST = 1_024;
  private static final int MOST_KEYS = 1_500;
  private static final int LOOKUPS = 200;

  /** Of a token that was cut. */
  private static final int MOST_ROWS = 16;

  /** Of random keys, and of such as begin alike. */
  @Property(tries = 20)
  void postings_findOneRowOfEach(@ForAll Random random) throws Exception {
    find(new ArrayList<>(randomKeys(random)), 1, random);
    find(new ArrayList<>(nestedKeys(random)), 1, random);
  }

  /** About as many as may be with a key that is cut. */
  @Property(tries = 20)
  void postings_findAllRowsOfAKey(@ForAll Random random) throws Exception {
    List<byte[]> keys = new ArrayList<>();
    for (byte[] key : nestedKeys(random)) {
      int rows = random.nextInt(20) > 0 ? 1 : MOST_ROWS - 1 + random.nextInt(30);
      keys.addAll(Collections.nCopies(rows, key));
    }
    find(keys, MOST_ROWS, random);
  }

  private static void find(List<byte[]> keys, int mostRowsBeside, Random random) throws Exception {
    NavigableMap<byte[], byte[]> keyOfRow = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    Collections.shuffle(keys, random);
    keys.forEach(key -> keyOfRow.put(Bytes.toBytes(keyOfRow.size()), key));
    PostingIndex index = PostingIndex.of(keyOfRow);
    NavigableMap<byte[], Set<Integer>> rowsOfKey = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    keyOfRow.forEach(
        (row, key) ->
            rowsOfKey.computeIfAbsent(key, each -> new HashSet<>()).add(Bytes.toInt(row)));
    for (int i = 0; i < LOOKUPS; i++) {
      TokenRange range = range(keys, random);
      Set<Integer> wanted = new HashSet<>();
      rowsOfKey.tailMap(range.first(), true).entrySet().stream()
          .takeWhile(each -> range.contains(each.getKey()))
          .forEach(each -> wanted.addAll(each.getValue()));
      Set<Integer> found = new HashSet<>();
      index.rows(range).forEach(row -> found.add(Bytes.toInt(row)));
      assertThat(found.containsAll(wanted)).as("all of %s", range).isTrue();
      assertThat(found.size() - wanted.size())
          .as("rows beside those of %s", range)
          .isLessThanOrEqualTo((range.isSingle() ? 1 : 2) * mostRowsBeside);
    }
  }

  private static SortedSet<byte[]> randomKeys(Random random) {
    SortedSet<byte[]> keys = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    int count = random.nextInt(MOST_KEYS);
    int longest = SHORTEST + random.nextInt(LONGEST - SHORTEST);
    while (keys.size() < count) {
      byte[] key = new byte[SHORTEST + random.nextInt(longest - SHORTEST + 1)];
      random.nextBytes(key);
      keys.add(key);
    }
    return keys;
  }

  /** Any may begin with any other. */
  private static SortedSet<byte[]> nestedKeys(Random random) {
    SortedSet<byte[]> keys = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    List<byte[]> prefixes = new ArrayList<>(List.of(new byte[0]));
    int count = 1 + random.nextInt(MOST_KEYS);
    int step = 1 + random.nextInt(100);
    while (prefixes.size() < count) {
      byte[] prefix = prefixes.get(random.nextInt(prefixes.size()));
      byte[] key = Arrays.copyOf(prefix, prefix.length + 1 + random.nextInt(step));
      for (int i = prefix.length; i < key.length; i++) {
        key[i] = (byte) (random.nextInt(3) - 1);
      }
      if (key.length <= LONGEST) {
        prefixes.add(key);
        if (key.length >= SHORTEST) {
          keys.add(key);
        }
      } else {
        count--;
      }
    }
    return keys;
  }

  private static TokenRange range(List<byte[]> keys, Random random) {
    byte[] one = near(keys, random);
    return switch (random.nextInt(4)) {
      case 0, 1 -> TokenRange.only(one);
      case 2 -> TokenRange.startingWith(Arrays.copyOf(one, random.nextInt(one.length + 1)));
      default -> {
        byte[] other = near(keys, random);
        yield random.nextInt(10) == 0
            ? TokenRange.of(one, Optional.empty())
            : Bytes.compareTo(one, other) < 0
                ? TokenRange.of(one, Optional.of(other))
                : TokenRange.of(TokenRange.successor(other), Optional.of(one));
      }
    };
  }

  /** One of the keys, or one that has much in common with it. */
  private static byte[] near(List<byte[]> keys, Random random) {
    byte[] key = keys.isEmpty() ? new byte[SHORTEST] : keys.get(random.nextInt(keys.size()));
    if (random.nextInt(3) > 0) {
      return key;
    }
    byte[] changed = Arrays.copyOf(key, 1 + random.nextInt(key.length + 2));
    changed[random.nextInt(changed.length)] += (byte) (random.nextInt(3) - 1);
    return changed;
  }
}
