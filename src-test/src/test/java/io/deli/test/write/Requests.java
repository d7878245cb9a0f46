package io.deli.test.write;

import io.deli.test.fault.Fault;
import io.deli.test.fault.Faults;
import io.deli.test.fault.Way;
import io.deli.test.write.OneFault.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Takes note of the requests of a write, on which nothing befalls. */
final class Requests implements Faults {
  private final List<Place> places = new ArrayList<>();
  private int requests;

  @Override
  public synchronized List<Fault> strike(Way way, int operations) {
    places.add(new Place(requests, way, OptionalInt.empty()));
    for (int i = 0; operations > 1 && i < operations; i++) {
      places.add(new Place(requests, way, OptionalInt.of(i)));
    }
    requests++;
    return Faults.NONE.strike(way, operations);
  }

  /** Where a fault can strike. */
  synchronized List<Place> places() {
    return List.copyOf(places);
  }
}
