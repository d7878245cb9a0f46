package io.deli.client.internal.connect;

import io.deli.client.TimestampOracle;
import io.deli.client.internal.Surroundings;
import io.deli.client.internal.write.Identities;
import io.deli.client.internal.write.Ports;
import io.deli.config.DeliSettings;
import io.deli.entry.ElapsedTime;
import io.deli.entry.RowClock;
import java.time.InstantSource;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;

/**
 * What a test may exchange in a connection.
 *
 * @param identities clocks and timestamps
 * @param ports wraps the ways to the tables
 */
public record Wiring(Identities identities, UnaryOperator<Ports> ports) {
  Surroundings surroundings() {
    return identities.surroundings();
  }

  /** The system's clocks, and the oracle that the configuration names. */
  public static Wiring of(Configuration configuration) {
    return of(oracle(configuration));
  }

  /** The system's clocks and the given oracle. */
  public static Wiring of(TimestampOracle oracle) {
    return new Wiring(
        new Identities(oracle, InstantSource.system(), ElapsedTime.system()),
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
