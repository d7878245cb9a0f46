package io.deli.fileindex.internal.next;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;

/**
 * Sorts postings by their tokens, and those of a token in the order in which they were added: that
 * of rows. What exceeds a bound of memory is spilled as sorted runs, which are merged in the end.
 * Not thread-safe.
 */
final class PostingSorter implements Closeable {
  // Of each run while they are merged.
  private static final int READ_AHEAD = 16 << 10;
  // More would be copied by the JDK into memory off the heap that a thread never gives back.
  private static final int WRITE_BEHIND = 64 << 10;
  // An offset, and while they are sorted the object and the reference that stand for it.
  private static final int PLACE = 4 + 16 + 8;

  private final Path directory;
  private final long mostBytes;
  private final Buffer run = new Buffer();
  private final DataOutputStream toRun = new DataOutputStream(run);
  private int[] offsets = new int[64];
  private int count;
  private final List<Long> ends = new ArrayList<>();
  private Optional<SpillFile> spilled = Optional.empty();

  /** The run in memory: its postings as {@link Posting#write} has them. */
  private static final class Buffer extends ByteArrayOutputStream {
    byte[] bytes() {
      return buf;
    }
  }

  /** Takes the sorted postings. */
  @FunctionalInterface
  interface Sink {
    void take(Posting posting) throws IOException;
  }

  /**
   * @param directory for what is spilled
   * @param mostBytes of memory for a run, about
   */
  PostingSorter(Path directory, long mostBytes) {
    this.directory = directory;
    this.mostBytes = mostBytes;
  }

  /** The file of what was spilled, with room behind it for more; empty if all is in memory. */
  Optional<SpillFile> spilled() {
    return spilled;
  }

  /** Bytes on the heap, about. */
  long heap() {
    return run.bytes().length + (long) PLACE * count + (long) READ_AHEAD * ends.size();
  }

  void add(Posting posting) throws IOException {
    if (count == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * count);
    }
    offsets[count++] = run.size();
    posting.write(toRun);
    if (run.size() + (long) PLACE * count > mostBytes) {
      spill();
    }
  }

  private void spill() throws IOException {
    if (spilled.isEmpty()) {
      spilled = Optional.of(new SpillFile(directory));
    }
    SpillFile file = spilled.get();
    byte[] bytes = run.bytes();
    try (OutputStream out = new BufferedOutputStream(file.appending(), WRITE_BEHIND)) {
      for (int place : places(bytes)) {
        int end = place + 1 < count ? offsets[place + 1] : run.size();
        out.write(bytes, offsets[place], end - offsets[place]);
      }
    }
    ends.add(file.length());
    run.reset();
    count = 0;
  }

  /** The places of the postings in memory, sorted. */
  private Integer[] places(byte[] bytes) {
    Integer[] places = new Integer[count];
    Arrays.setAll(places, place -> place);
    // Stable, so that rows stay in their order.
    Arrays.sort(places, (one, other) -> compareTokens(bytes, offsets[one], offsets[other]));
    return places;
  }

  private static int compareTokens(byte[] bytes, int one, int other) {
    int length = (int) Bytes.readAsVLong(bytes, one);
    int otherLength = (int) Bytes.readAsVLong(bytes, other);
    return Bytes.compareTo(
        bytes,
        one + WritableUtils.decodeVIntSize(bytes[one]),
        length,
        bytes,
        other + WritableUtils.decodeVIntSize(bytes[other]),
        otherLength);
  }

  /** Gives all postings in their order; to be called once. */
  void forEach(Sink sink) throws IOException {
    if (spilled.isEmpty()) {
      byte[] bytes = run.bytes();
      for (int place : places(bytes)) {
        sink.take(
            Posting.read(
                new DataInputStream(new ByteArrayInputStream(bytes, offsets[place], run.size()))));
      }
      return;
    }
    if (count > 0) {
      spill();
    }
    merge(spilled.get(), sink);
  }

  private void merge(SpillFile file, Sink sink) throws IOException {
    PriorityQueue<Run> runs =
        new PriorityQueue<>(
            Comparator.<Run, byte[]>comparing(each -> each.next.token(), Bytes.BYTES_COMPARATOR)
                .thenComparingInt(each -> each.number));
    long from = 0;
    for (int number = 0; number < ends.size(); number++) {
      Run each = new Run(file, from, ends.get(number), number);
      from = ends.get(number);
      if (each.advance()) {
        runs.add(each);
      }
    }
    while (!runs.isEmpty()) {
      Run least = runs.remove();
      sink.take(least.next);
      if (least.advance()) {
        runs.add(least);
      }
    }
  }

  /** A run on disk, at one of its postings. */
  private static final class Run {
    private final DataInputStream in;
    private final int number;
    private Posting next;

    Run(SpillFile file, long from, long to, int number) {
      in = new DataInputStream(new BufferedInputStream(file.stream(from, to), READ_AHEAD));
      this.number = number;
    }

    boolean advance() throws IOException {
      in.mark(1);
      if (in.read() < 0) {
        return false;
      }
      in.reset();
      next = Posting.read(in);
      return true;
    }
  }

  @Override
  public void close() {
    spilled.ifPresent(SpillFile::close);
  }
}
