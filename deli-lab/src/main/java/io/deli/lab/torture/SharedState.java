package io.deli.lab.torture;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Memory that clients share, by a file also those of several processes: what they are to do now,
 * and by a number that grows the row that has each place. Thread-safe, also among processes.
 */
public final class SharedState {
  public enum Order {
    WORK,
    PAUSE,
    END
  }

  private static final List<Order> ORDERS = List.of(Order.values());

  private static final VarHandle INTS =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private final ByteBuffer memory;

  private SharedState(ByteBuffer memory) {
    this.memory = memory;
  }

  static SharedState ofThisJvm(int places) {
    return new SharedState(ByteBuffer.allocateDirect(at(places)));
  }

  /** Opens the file, or makes it with zeros. */
  public static SharedState open(Path file, int places) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      int size = at(places);
      return new SharedState(channel.map(FileChannel.MapMode.READ_WRITE, 0, size));
    }
  }

  private static int at(int place) {
    return (1 + place) * Integer.BYTES;
  }

  public Order order() {
    return ORDERS.get((int) INTS.getVolatile(memory, 0));
  }

  public void order(Order order) {
    INTS.setVolatile(memory, 0, ORDERS.indexOf(order));
  }

  public void change(Order from, Order to) {
    boolean unused = INTS.compareAndSet(memory, 0, ORDERS.indexOf(from), ORDERS.indexOf(to));
  }

  /** The number of the row that has a place. */
  int get(int place) {
    return (int) INTS.getVolatile(memory, at(place));
  }

  /** If the row of a place has this number still, it gets the next one. */
  void advance(int place, int from) {
    boolean unused = INTS.compareAndSet(memory, at(place), from, from + 1);
  }
}
