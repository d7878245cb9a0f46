package io.deli.test.write;

import io.deli.test.fault.Fault;
import io.deli.test.fault.Faults;
import io.deli.test.fault.Way;
import io.deli.test.write.OneFault.Place;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Takes note of the requests of a write, on which nothing befalls. */
final class Requests implements Faults {
  private final List<Place> places = new ArrayList<>();
  private final Map<Way, Integer> requests = new EnumMap<>(Way.class);

  @Override
  public synchronized List<Fault> strike(Way way, int operations) {
    int request = requests.merge(way, 1, Integer::sum) - 1;
    places.add(new Place(request, way, OptionalInt.empty()));
    for (int i = 0; operations > 1 && i < operations; i++) {
      places.add(new Place(request, way, OptionalInt.of(i)));
    }
    return Faults.NONE.strike(way, operations);
  }

  /** Where a fault can strike. */
  synchronized List<Place> places() {
    return List.copyOf(places);
  }
}
