package io.deli.test.fault;

import java.util.Collections;
import java.util.List;

/** Decides what goes wrong. Thread-safe. */
@FunctionalInterface
public interface Faults {
  /** All goes well. */
  Faults NONE = all(Fault.NONE);

  /** What befalls each operation of one request; asked in the order of the requests. */
  List<Fault> strike(Way way, int operations);

  /** The same fault on everything. */
  static Faults all(Fault fault) {
    return (way, operations) -> Collections.nCopies(operations, fault);
  }

  /** The same fault on everything that goes one way. */
  static Faults on(Way struck, Fault fault) {
    return all(fault).only(struck);
  }

  /** These, but on one way only. */
  default Faults only(Way struck) {
    return (way, operations) -> (way == struck ? this : all(Fault.NONE)).strike(way, operations);
  }
}
