package io.deli.test.write;

import io.deli.test.fault.Fault;
import io.deli.test.fault.Faults;
import io.deli.test.fault.Way;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;

/** Strikes one place of one write. */
final class OneFault implements Faults {
  private final Place place;
  private final Fault fault;
  private int requests;

  /**
   * Where a fault strikes.
   *
   * @param request of those that go this way, counted from 0; ways may be gone side by side
   * @param operation of the request; none for all
   */
  record Place(int request, Way way, OptionalInt operation) {
    @Override
    public String toString() {
      return "request %d, %s%s"
          .formatted(
              request, way, operation.isPresent() ? ", operation " + operation.getAsInt() : "");
    }
  }

  OneFault(Place place, Fault fault) {
    this.place = place;
    this.fault = fault;
  }

  @Override
  public synchronized List<Fault> strike(Way way, int operations) {
    if (way != place.way() || requests++ != place.request()) {
      return Faults.NONE.strike(way, operations);
    }
    if (place.operation().isEmpty()) {
      return Collections.nCopies(operations, fault);
    }
    List<Fault> one = new ArrayList<>(Collections.nCopies(operations, Fault.NONE));
    one.set(place.operation().getAsInt(), fault);
    return one;
  }

  synchronized boolean hasStruck() {
    return requests > place.request();
  }
}
