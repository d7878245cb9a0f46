package io.deli.fileindex.internal.blocks;

import io.deli.query.TokenRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Ranges of tokens that may overlap each other, to be asked which of them overlap another one.
 * Immutable.
 *
 * <p>A balanced tree in an array sorted by the ranges' begin; each node knows the greatest end
 * below it.
 */
public final class IntervalTree<T> {
  private record Node<T>(byte[] first, Optional<byte[]> end, TokenRange range, T item) {}

  private final List<Node<T>> nodes;
  private final List<Optional<byte[]>> greatestEnds;

  public IntervalTree(List<T> items, Function<T, TokenRange> rangeOf) {
    nodes =
        items.stream()
            .map(item -> node(rangeOf.apply(item), item))
            .sorted(Comparator.comparing(Node::first, Bytes.BYTES_COMPARATOR))
            .toList();
    greatestEnds = new ArrayList<>(Collections.nCopies(nodes.size(), Optional.empty()));
    if (!nodes.isEmpty()) {
      measure(0, nodes.size());
    }
  }

  private static <T> Node<T> node(TokenRange range, T item) {
    return new Node<>(range.first(), range.end(), range, item);
  }

  private Optional<byte[]> measure(int from, int to) {
    int middle = (from + to) >>> 1;
    Optional<byte[]> greatest = nodes.get(middle).end();
    if (from < middle) {
      greatest = later(greatest, measure(from, middle));
    }
    if (middle + 1 < to) {
      greatest = later(greatest, measure(middle + 1, to));
    }
    greatestEnds.set(middle, greatest);
    return greatest;
  }

  private static Optional<byte[]> later(Optional<byte[]> one, Optional<byte[]> other) {
    return one.isEmpty() || (other.isPresent() && Bytes.compareTo(one.get(), other.get()) >= 0)
        ? one
        : other;
  }

  /** Gives the items whose ranges overlap one. */
  public void overlapping(TokenRange range, Consumer<T> found) {
    search(range, range.first(), range.end(), 0, nodes.size(), found);
  }

  private void search(
      TokenRange range, byte[] first, Optional<byte[]> end, int from, int to, Consumer<T> found) {
    int middle = (from + to) >>> 1;
    if (from >= to || endsBefore(greatestEnds.get(middle), first)) {
      return;
    }
    search(range, first, end, from, middle, found);
    Node<T> node = nodes.get(middle);
    if (node.range().overlaps(range)) {
      found.accept(node.item());
    }
    if (end.isEmpty() || Bytes.compareTo(node.first(), end.get()) < 0) {
      search(range, first, end, middle + 1, to, found);
    }
  }

  private static boolean endsBefore(Optional<byte[]> end, byte[] first) {
    return end.isPresent() && Bytes.compareTo(end.get(), first) <= 0;
  }
}
