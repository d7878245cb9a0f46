package io.deli.simulation;

import static io.deli.simulation.Worker.values;

import io.deli.lab.judge.QueryCondition;
import io.deli.simulation.SmallWorld.Act;
import io.deli.simulation.SmallWorld.Call;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The small worlds that are explored whole: two clients on one row, of up to three calls each,
 * alone, beside a collection and a repair, and with up to two faults. Not every script of that size
 * is here: with two writers of three calls there would be millions of courses.
 */
final class SmallWorlds {
  private static final List<Act> NONE = List.of();
  private static final List<Act> COLLECTION = List.of(Act.FLUSH, Act.COMPACT);
  private static final List<Act> REPAIR = List.of(Act.GRACE);

  private static final Call PUT_1 = put("m1");
  private static final Call PUT_2 = put("m2");
  private static final Call PUT_3 = put("m3");
  private static final Call DELETE = worker -> worker.delete("k", Set.of());
  private static final Call GET = worker -> worker.get("k");
  private static final Call REPLACE = worker -> worker.replace("k", Worker.A, "m2", Worker.B);
  private static final Call QUERY = worker -> worker.query(QueryCondition.equal(Worker.A, "m1"));
  private static final Call RANGE =
      worker -> worker.query(new QueryCondition.Between(Worker.A, "m0", "m9"));

  private SmallWorlds() {}

  private static Call put(String value) {
    return worker -> worker.put(values("k", values(Worker.A, value)));
  }

  private static Call change(String to) {
    return worker -> worker.change("k", Worker.A, Optional.of("m1"), values(Worker.A, to));
  }

  private static Call create(String value) {
    return worker -> worker.change("k", Worker.A, Optional.empty(), values(Worker.A, value));
  }

  static List<SmallWorld> all() {
    return Stream.of(quiet(), collected(), faulty()).flatMap(List::stream).toList();
  }

  private static List<SmallWorld> quiet() {
    return List.of(
        world("two puts | a put", NONE, 0, List.of(PUT_1, PUT_2), List.of(PUT_1)),
        world("three puts | two queries", NONE, 0, List.of(PUT_1, PUT_2, PUT_1), twice(QUERY)),
        world("a row moves | a range", NONE, 0, List.of(PUT_3, PUT_1, PUT_2), List.of(RANGE)),
        world("put, delete | put", NONE, 0, List.of(PUT_1, DELETE), List.of(PUT_1)),
        world("put, delete, put | query", NONE, 0, List.of(PUT_1, DELETE, PUT_1), List.of(QUERY)),
        world("conditions", NONE, 0, List.of(PUT_1, change("m2")), List.of(change("m3"), GET)),
        world("creations", NONE, 0, List.of(create("m1"), DELETE), List.of(create("m2"), GET)),
        world("replace | put, get", NONE, 0, List.of(REPLACE), List.of(PUT_3, GET)),
        inPlace("in place: put | put", List.of(PUT_1), List.of(PUT_2)),
        inPlace("in place: put | a range", List.of(PUT_1), List.of(RANGE)));
  }

  private static List<SmallWorld> collected() {
    List<Act> both = List.of(Act.FLUSH, Act.COMPACT, Act.GRACE);
    return List.of(
        world("collection: put | put", COLLECTION, 0, List.of(PUT_1), List.of(PUT_1)),
        world("collection: two puts | query", COLLECTION, 0, List.of(PUT_1, PUT_2), List.of(QUERY)),
        world("collection, repair: put | query", both, 0, List.of(PUT_1), List.of(QUERY)),
        world("repair: put | query", REPAIR, 0, List.of(PUT_1), List.of(QUERY)),
        world("repair: put, delete | query", REPAIR, 0, List.of(PUT_1, DELETE), List.of(QUERY)));
  }

  private static List<SmallWorld> faulty() {
    List<Act> crash = List.of(Act.CRASH);
    List<Act> amid = List.of(Act.FLUSH, Act.COMPACT, Act.CRASH);
    return List.of(
        world("one fault: put | put", NONE, 1, List.of(PUT_1), List.of(PUT_2)),
        world("one fault: create | put", NONE, 1, List.of(create("m1")), List.of(PUT_2)),
        world("one fault: put, delete | get", NONE, 1, List.of(PUT_1, DELETE), List.of(GET)),
        world("two faults: puts | query", NONE, 2, List.of(PUT_1, PUT_2), List.of(QUERY)),
        world("two faults: creations", NONE, 2, List.of(create("m1")), List.of(create("m1"))),
        world("two faults: collection", COLLECTION, 2, List.of(PUT_1, PUT_2), List.of()),
        world("one fault: collection | get", COLLECTION, 1, List.of(PUT_1, PUT_2), List.of(GET)),
        world("region crashes: put | put", crash, 0, List.of(PUT_1), List.of(PUT_3)),
        world("region crashes amid collection", amid, 0, List.of(PUT_1, PUT_2), List.of()),
        world("client crashes", List.of(Act.CLIENT_CRASH), 1, List.of(PUT_1, PUT_2), List.of()));
  }

  private static List<Call> twice(Call call) {
    return List.of(call, call);
  }

  private static SmallWorld world(
      String name, List<Act> acts, int faults, List<Call> one, List<Call> other) {
    return new SmallWorld(name, "deferred", List.of(one, other), acts, faults);
  }

  private static SmallWorld inPlace(String name, List<Call> one, List<Call> other) {
    return new SmallWorld(name, "in-place", List.of(one, other), NONE, 0);
  }
}
