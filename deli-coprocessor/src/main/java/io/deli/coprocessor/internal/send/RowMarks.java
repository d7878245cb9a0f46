package io.deli.coprocessor.internal.send;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The newest timestamps that were given to rows on a region server, in a fixed amount of memory.
 * Thread-safe; reads are lock-free.
 *
 * <p>A key has a bucket of eight words by its hash, of which there are 2^17: 8 MB in all, which are
 * allocated 8 KB at a time as they are met. A word holds a timestamp, in its upper 42 bits, and the
 * rest of the key's hash. The bucket's first word is the newest timestamp that had to leave: what a
 * key that is not there was given is no newer than that. A new key takes the place of the oldest.
 *
 * <p>So a mark that belongs to others is taken for a key's own only if seven others of its bucket
 * were met since: at 10,000 keys a second, a bucket meets one in 13 seconds. What is refused by
 * such a mark is refused in vain, and never the other way round.
 */
public final class RowMarks {
  private static final int WORDS = 8;
  private static final int CHUNK = 1 << 10;
  private static final int CHUNKS = 1 << 10;
  private static final int BUCKETS = CHUNKS * CHUNK / WORDS;
  private static final int HASH_BITS = 22;
  private static final long HASH = (1L << HASH_BITS) - 1;

  private final AtomicReferenceArray<AtomicLongArray> chunks = new AtomicReferenceArray<>(CHUNKS);

  /** The newest timestamp of a key, or a newer one; 0 if there is none. */
  public long newest(long key) {
    AtomicLongArray chunk = chunks.get(chunk(key));
    return chunk == null ? 0 : newest(chunk, key);
  }

  private static long newest(AtomicLongArray chunk, long key) {
    long known = known(chunk, key);
    return known == 0 ? chunk.get(bucket(key)) : known;
  }

  /** The newest timestamp of a key; 0 if there is none, or it is not known any more. */
  public long known(long key) {
    AtomicLongArray chunk = chunks.get(chunk(key));
    return chunk == null ? 0 : known(chunk, key);
  }

  private static long known(AtomicLongArray chunk, long key) {
    int bucket = bucket(key);
    long known = 0;
    for (int i = bucket + 1; i < bucket + WORDS; i++) {
      long word = chunk.get(i);
      if (isOf(word, key)) {
        known = Math.max(known, timestamp(word));
      }
    }
    return known;
  }

  /**
   * Notes a timestamp, unless there is a newer one or the same.
   *
   * @return whether there was none; of several threads with one timestamp, one is told so
   */
  public boolean raise(long key, long timestamp) {
    AtomicLongArray chunk = allocated(key);
    synchronized (chunk) {
      boolean newer = newest(chunk, key) < timestamp;
      if (newer) {
        put(chunk, key, timestamp);
      }
      return newer;
    }
  }

  /** Notes and returns a timestamp greater than the key's, and no less than the given one. */
  public long next(long key, long least) {
    AtomicLongArray chunk = allocated(key);
    synchronized (chunk) {
      long next = Math.max(newest(chunk, key) + 1, least);
      put(chunk, key, next);
      return next;
    }
  }

  /** Puts a word in the place of the key's own, or of the oldest. */
  private static void put(AtomicLongArray chunk, long key, long timestamp) {
    int bucket = bucket(key);
    int place = bucket + 1;
    for (int i = place; i < bucket + WORDS; i++) {
      long word = chunk.get(i);
      if (isOf(word, key)) {
        place = i;
        break;
      }
      if (timestamp(word) < timestamp(chunk.get(place))) {
        place = i;
      }
    }
    long left = chunk.get(place);
    if (!isOf(left, key)) {
      chunk.accumulateAndGet(bucket, timestamp(left), Math::max);
    }
    chunk.set(place, timestamp << HASH_BITS | (key & HASH));
  }

  private static boolean isOf(long word, long key) {
    return word != 0 && ((word ^ key) & HASH) == 0;
  }

  private static long timestamp(long word) {
    return word >>> HASH_BITS;
  }

  private AtomicLongArray allocated(long key) {
    int number = chunk(key);
    AtomicLongArray chunk = chunks.get(number);
    if (chunk == null) {
      chunks.compareAndSet(number, null, new AtomicLongArray(CHUNK));
      chunk = chunks.get(number);
    }
    return chunk;
  }

  private static int number(long key) {
    return (int) (key >>> HASH_BITS) & (BUCKETS - 1);
  }

  private static int chunk(long key) {
    return number(key) / (CHUNK / WORDS);
  }

  private static int bucket(long key) {
    return number(key) % (CHUNK / WORDS) * WORDS;
  }

  /** A hash of bytes, to be mixed into a key. */
  public static long hash(long seed, byte[] bytes, int offset, int length) {
    long hash = seed ^ length;
    for (int i = offset; i < offset + length; i++) {
      hash = (hash ^ bytes[i]) * 0x100000001b3L;
    }
    return hash;
  }

  /** A key of a hash, which has not much to do with the keys of similar ones. */
  public static long key(long hash) {
    long mixed = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
