package io.deli.client.internal.read;

import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * A set of row keys that keeps 16 bytes of the SHA-256 of each, however long they are: an open hash
 * table, at most two thirds full, which most queries leave empty. Not thread-safe.
 */
final class KeyDigests {
  private static final int FEWEST = 64;

  private MessageDigest sha;
  private long[] halves = {};
  private int size;

  /** Adds a key; whether it was not there. */
  boolean add(byte[] key) {
    if (halves.length == 0) {
      sha = Fingerprint.sha256();
      halves = new long[2 * FEWEST];
    }
    ByteBuffer digest = digest(key);
    int slot = slot(digest);
    if (halves[slot + 1] != 0) {
      return false;
    }
    set(slot, digest);
    size++;
    if (3 * size > halves.length) {
      grow();
    }
    return true;
  }

  boolean contains(byte[] key) {
    return size > 0 && halves[slot(digest(key)) + 1] != 0;
  }

  /** Bytes that it takes as soon as there is a key. */
  long heapSize() {
    return (long) Long.BYTES * Math.max(halves.length, 2 * FEWEST);
  }

  private ByteBuffer digest(byte[] key) {
    return ByteBuffer.wrap(sha.digest(key));
  }

  /** Returns the slot of the digest, or the free slot for it. */
  private int slot(ByteBuffer digest) {
    int mask = halves.length - 2;
    int slot = (int) digest.getLong(0) & mask;
    while (halves[slot + 1] != 0
        && (halves[slot] != digest.getLong(0) || halves[slot + 1] != second(digest))) {
      slot = (slot + 2) & mask;
    }
    return slot;
  }

  private void set(int slot, ByteBuffer digest) {
    halves[slot] = digest.getLong(0);
    halves[slot + 1] = second(digest);
  }

  /** Returns the second half, never zero, which marks a free slot. */
  private static long second(ByteBuffer digest) {
    return digest.getLong(Long.BYTES) | 1;
  }

  private void grow() {
    long[] before = halves;
    halves = new long[2 * before.length];
    ByteBuffer digest = ByteBuffer.allocate(2 * Long.BYTES);
    for (int i = 0; i < before.length; i += 2) {
      if (before[i + 1] != 0) {
        digest.putLong(0, before[i]).putLong(Long.BYTES, before[i + 1]);
        set(slot(digest), digest);
      }
    }
  }
}
