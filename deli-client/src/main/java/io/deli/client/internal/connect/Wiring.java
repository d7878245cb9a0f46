package io.deli.client.internal.connect;

import io.deli.client.TimestampOracle;
import io.deli.client.internal.ClientEnvironment;
import io.deli.client.internal.write.TableClients;
import io.deli.client.internal.write.WriteContext;
import io.deli.config.DeliSettings;
import io.deli.entry.ElapsedTime;
import io.deli.entry.RowClock;
import java.time.InstantSource;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;

/**
 * The parts of a connection that tests replace.
 *
 * @param context clocks and timestamps
 * @param clients wraps the table clients
 */
public record Wiring(WriteContext context, UnaryOperator<TableClients> clients) {
  ClientEnvironment environment() {
    return context.environment();
  }

  /** The system's clocks, and the oracle that the configuration names. */
  public static Wiring of(Configuration configuration) {
    return of(oracle(configuration));
  }

  /** The system's clocks and the given oracle. */
  public static Wiring of(TimestampOracle oracle) {
    return new Wiring(
        new WriteContext(oracle, InstantSource.system(), ElapsedTime.system()),
        UnaryOperator.identity());
  }

  private static TimestampOracle oracle(Configuration configuration) {
    String name = DeliSettings.ORACLE.get(configuration);
    if (name.isEmpty()) {
      return new RowClock(InstantSource.system())::next;
    }
    try {
      return configuration
          .getClassByName(name)
          .asSubclass(TimestampOracle.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new IllegalArgumentException(
          "%s = '%s': give a loadable class with a public no-argument constructor that implements %s"
              .formatted(DeliSettings.ORACLE.key(), name, TimestampOracle.class.getName()),
          e);
    }
  }
}
