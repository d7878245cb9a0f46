package io.deli.lab.campaign;

import io.deli.lab.torture.ContendedRows;
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
 * A file in memory that a campaign and its client processes share: what clients are to do now, and
 * which row has each place. Thread-safe, also among processes.
 */
final class SharedState implements ContendedRows.Generations {
  enum Order {
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

  /** Opens the file, or makes it with zeros. */
  static SharedState open(Path file, int places) throws IOException {
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

  Order order() {
    return ORDERS.get((int) INTS.getVolatile(memory, 0));
  }

  void order(Order order) {
    INTS.setVolatile(memory, 0, ORDERS.indexOf(order));
  }

  void change(Order from, Order to) {
    boolean unused = INTS.compareAndSet(memory, 0, ORDERS.indexOf(from), ORDERS.indexOf(to));
  }

  @Override
  public int get(int place) {
    return (int) INTS.getVolatile(memory, at(place));
  }

  @Override
  public void advance(int place, int from) {
    boolean unused = INTS.compareAndSet(memory, at(place), from, from + 1);
  }
}
