package io.deli.client.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.internal.Unconnected;
import io.deli.client.internal.write.InFlightLimiter;
import io.deli.config.DeliSettings;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class EngineTest {
  private static Set<ObjectName> published() throws Exception {
    return ManagementFactory.getPlatformMBeanServer()
        .queryNames(new ObjectName("io.deli.client:*"), null);
  }

  /** A connection tries again each time that it is used. */
  @Test
  void anEngineThatCannotBeMade_leavesNoMetrics() throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(DeliSettings.READ_PAGE.key(), "many");
    Wiring wiring = Wiring.of(configuration);
    Set<ObjectName> before = published();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(
              () -> Engine.on(Unconnected.open(configuration), configuration, wiring, table -> {}))
          .hasMessageContaining(DeliSettings.READ_PAGE.key());
    }
    assertThat(published()).isEqualTo(before);
  }

  /** A region of it may hang. */
  @Test
  void callersWhoWriteToOneTable_takeNoRoomFromThoseOfAnother() throws Exception {
    Configuration configuration = new Configuration();
    Engine engine =
        Engine.on(
            Unconnected.open(configuration), configuration, Wiring.of(configuration), table -> {});
    try {
      assertThat(limiter(engine, "t"))
          .isSameAs(limiter(engine, "t"))
          .isNotSameAs(limiter(engine, "other"));
    } finally {
      engine.close();
    }
  }

  private static InFlightLimiter limiter(Engine engine, String table) {
    return engine.blocking(TableName.valueOf(table), List.of()).limiter();
  }
}
