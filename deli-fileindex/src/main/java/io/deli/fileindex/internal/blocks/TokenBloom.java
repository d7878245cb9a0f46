package io.deli.fileindex.internal.blocks;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Collection;
import java.util.function.IntPredicate;
import org.apache.hadoop.hbase.util.ByteArrayHashKey;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Hash;

/**
 * A Bloom filter of some tokens, such as those of a block. Immutable.
 *
 * <p>The chances of an error are what theory says at any number of bits. HBase's own filters take
 * all probes from two hashes of 32 bits: in a filter as small as a block's, two tokens agree in
 * both far more often than a hundred bits per key promise. Here each probe is drawn anew from one
 * hash of 64 bits.
 */
public record TokenBloom(BitSet bits, int size, int probes) {
  private static final Hash HASH = Hash.getInstance(Hash.MURMUR_HASH3);
  private static final int OTHER_SEED = 0x5DE11;

  /** The hash of a token. Part of the format: the same for ever. */
  public static long hash(byte[] token) {
    ByteArrayHashKey key = new ByteArrayHashKey(token, 0, token.length);
    return ((long) HASH.hash(key, 0) << 32) | (HASH.hash(key, OTHER_SEED) & 0xFFFF_FFFFL);
  }

  /** Of distinct tokens, by their hashes. */
  public static TokenBloom of(Collection<Long> hashes, int bitsPerToken) {
    int size = (int) Math.min(Integer.MAX_VALUE, Math.max(1L, (long) hashes.size() * bitsPerToken));
    int probes = Math.max(1, (int) Math.round(bitsPerToken * Math.log(2)));
    TokenBloom bloom = new TokenBloom(new BitSet(size), size, probes);
    for (long hash : hashes) {
      for (int i = 1; i <= probes; i++) {
        bloom.bits.set(position(hash, i, size));
      }
    }
    return bloom;
  }

  /** Whether the token may be among those of the filter; certain if not. */
  public boolean mayHold(long hash) {
    return mayHold(hash, size, probes, bits::get);
  }

  /** The i-th number of the generator SplitMix64 that begins at the hash, scaled to the size. */
  private static int position(long hash, int i, int size) {
    long z = hash + i * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    z ^= z >>> 31;
    return (int) (((z >>> 32) * size) >>> 32);
  }

  /** In bytes that {@link #mayHold(ByteBuffer, int, long)} asks. */
  public byte[] toBytes() {
    byte[] own = bits.toByteArray();
    return ByteBuffer.allocate(2 * Integer.BYTES + (size + Byte.SIZE - 1) / Byte.SIZE)
        .putInt(size)
        .putInt(probes)
        .put(own)
        .array();
  }

  /** The same as {@link #mayHold(long)} of the filter that was written at a place. */
  public static boolean mayHold(ByteBuffer in, int place, long hash) {
    int size = in.getInt(place);
    int probes = in.getInt(place + Integer.BYTES);
    int first = place + 2 * Integer.BYTES;
    return mayHold(
        hash,
        size,
        probes,
        bit -> (in.get(first + bit / Byte.SIZE) >>> (bit % Byte.SIZE) & 1) == 1);
  }

  private static boolean mayHold(long hash, int size, int probes, IntPredicate isSet) {
    for (int i = 1; i <= probes; i++) {
      if (!isSet.test(position(hash, i, size))) {
        return false;
      }
    }
    return true;
  }

  /** Bytes on the heap, about. */
  public int weight() {
    return 64 + bits.size() / Byte.SIZE;
  }

  public void write(DataOutput out) throws IOException {
    out.writeInt(size);
    out.writeInt(probes);
    Bytes.writeByteArray(out, bits.toByteArray());
  }

  public static TokenBloom read(DataInput in) throws IOException {
    int size = in.readInt();
    int probes = in.readInt();
    return new TokenBloom(BitSet.valueOf(Bytes.readByteArray(in)), size, probes);
  }
}
