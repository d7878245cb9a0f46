package io.deli.simulation;

import io.deli.coprocessor.internal.servermaintained.WriteAges;
import io.deli.lab.judge.CallHistory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Every course of events of a few calls: which message arrives next is the one thing left open, and
 * which requests meet with trouble.
 *
 * <p>A call begins, a request arrives, a collection flushes or goes on at any moment after what it
 * follows. An answer comes with its request: that it comes later only delays what follows it, which
 * may be delayed anyway, and would let the judges be less strict. Timers go off when no message is
 * under way, in their order, so that a request is repeated when all else is done. Each message
 * takes a millisecond, so no two have the same time. Where the grace passes, nothing is lost or
 * late besides: a request of a client that has given up is not under way for so long.
 *
 * @param name what it is about
 * @param strategy of the indexes
 * @param clients the calls of each client, one after the other
 * @param acts what happens to the base region, one after the other
 * @param faults how many requests at most meet with trouble
 */
record SmallWorld(
    String name, String strategy, List<List<Call>> clients, List<Act> acts, int faults) {
  /** A call of a client. */
  interface Call {
    CompletableFuture<Void> by(Worker worker);
  }

  /** What happens to the cluster besides calls. */
  enum Act {
    /** The base region writes its memory to a file. */
    FLUSH,
    /** It compacts all files. */
    COMPACT,
    /** Its server crashes, and starts again. */
    CRASH,
    /** The first client crashes. */
    CLIENT_CRASH,
    /** The time passes after which entries are repaired. */
    GRACE
  }

  /** The order of messages is a choice. */
  private static final class OpenWorld extends World {
    private final List<Event> messages = new ArrayList<>();
    private long unique;

    OpenWorld(Chance chance, Optional<Defect> planted, boolean traced) {
      super(chance, planted, traced);
    }

    /** Refusals are tried again, in more orders than can be gone through. */
    @Override
    WriteAges admissionAges() {
      return ANY_AGE;
    }

    @Override
    long unique() {
      return ++unique;
    }

    @Override
    void after(long micros, Node process, Runnable what) {
      messages.add(event(1_000, process, process.life(), what));
    }

    @Override
    void answer(long micros, Node process, int life, Runnable what) {
      happens(event(0, process, life, what));
    }

    @Override
    boolean step() {
      if (messages.isEmpty()) {
        return super.step();
      }
      Event next = messages.remove((int) chance().below(messages.size()));
      happens(event(1_000, next.process(), next.life(), next.what()));
      return true;
    }

    @Override
    void run(long millis) {
      while (!messages.isEmpty()) {
        step();
      }
      super.run(millis);
    }
  }

  /** A request meets with trouble if it may and is chosen. */
  private static final class FewFaults extends Courier {
    private static final List<Fate> FATES =
        List.of(Fate.USUAL, Fate.LOST, Fate.UNANSWERED, Fate.LATE);

    private final World world;
    private int left;

    FewFaults(World world, int faults) {
      super(world, 0);
      this.world = world;
      this.left = faults;
    }

    @Override
    Fate fate() {
      Fate fate = left == 0 ? Fate.USUAL : FATES.get((int) world.chance().below(FATES.size()));
      left -= fate == Fate.USUAL ? 0 : 1;
      return fate;
    }

    @Override
    long micros(Fate fate) {
      return fate == Fate.LATE ? 600_000 : 1_000;
    }
  }

  /** What came of the courses. */
  record Explored(long courses, Optional<Simulation.Outcome> wrong) {}

  /** Explores all courses until one is wrong, or so many at most. */
  Explored explore(Optional<Defect> planted, long most) {
    Choices choices = new Choices();
    long courses = 0;
    do {
      courses++;
      if (!run(choices, planted, false).violations().isEmpty()) {
        choices.again();
        return new Explored(courses, Optional.of(run(choices, planted, true)));
      }
    } while (courses < most && choices.next());
    return new Explored(courses, Optional.empty());
  }

  private Simulation.Outcome run(Choices choices, Optional<Defect> planted, boolean traced) {
    // The clients know the definitions, and have a whole lease to go.
    choices.settle(true);
    OpenWorld world = new OpenWorld(choices, planted, traced);
    ModelCluster cluster = new ModelCluster(world, new FewFaults(world, faults));
    Deployment deployment =
        new Deployment(cluster, MemoryStore::new, strategy, IndexKind.PLAIN, 1, false);
    CallHistory history = new CallHistory();
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      World.Node process = new World.Node("client " + i, 0);
      workers.add(new Worker(cluster, process, deployment, history));
      workers.get(i).begin();
    }
    world.run(0);
    choices.settle(false);
    for (int i = 0; i < clients.size(); i++) {
      make(world, workers.get(i), clients.get(i), 0);
    }
    World.Node operator = new World.Node("operator", 0);
    act(world, operator, deployment, workers, 0);
    world.run(5_000);
    choices.settle(true);
    world.run(5_000);
    List<String> violations = new ArrayList<>();
    try {
      new Ending(world, deployment, workers.get(workers.size() - 1), history, false, false)
          .judge(violations);
    } catch (IOException e) {
      throw new IllegalStateException("nothing that the model does fails", e);
    }
    violations.addAll(history.ruling(1).violations());
    return new Simulation.Outcome(clients.size(), violations, world.trace());
  }

  private static void make(OpenWorld world, Worker worker, List<Call> calls, int place) {
    if (place < calls.size()) {
      world.after(
          0,
          worker.process(),
          () -> {
            var unused =
                calls.get(place).by(worker).thenRun(() -> make(world, worker, calls, place + 1));
          });
    }
  }

  private void act(
      OpenWorld world,
      World.Node operator,
      Deployment deployment,
      List<Worker> workers,
      int place) {
    if (place < acts.size()) {
      world.after(
          0,
          operator,
          () -> {
            act(acts.get(place), world, deployment, workers.get(0));
            act(world, operator, deployment, workers, place + 1);
          });
    }
  }

  private static void act(Act act, OpenWorld world, Deployment deployment, Worker worker) {
    ObservedRegion base = deployment.regions().get(0);
    try {
      switch (act) {
        case FLUSH -> base.flush();
        case COMPACT -> base.compact(0, base.region().store().countFiles());
        case CRASH -> deployment.crash(0, 50);
        case CLIENT_CRASH -> worker.crash();
        case GRACE -> world.pass(Deployment.GRACE_MILLIS + 1);
      }
    } catch (IOException e) {
      throw new IllegalStateException("nothing that the model does fails", e);
    }
  }
}
