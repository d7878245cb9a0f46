package io.deli.lab.campaign;

import io.deli.lab.fault.Fault;
import io.deli.lab.fault.FaultProfile;
import io.deli.lab.fault.FaultTarget;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The faults of a cell. Those of tables happen in each, beside the others. */
enum CampaignProfile {
  TABLES,
  PROCESSES,
  MACHINES,
  OPERATIONS;

  private Set<FaultProfile> parts() {
    return switch (this) {
      case TABLES -> EnumSet.noneOf(FaultProfile.class);
      case PROCESSES -> EnumSet.of(FaultProfile.KILLS, FaultProfile.STOPS);
      case MACHINES -> EnumSet.of(FaultProfile.NETWORK, FaultProfile.DISK, FaultProfile.CLOCKS);
      case OPERATIONS ->
          EnumSet.of(FaultProfile.SCHEMA, FaultProfile.DEFINITIONS, FaultProfile.OPERATIONS);
    };
  }

  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  List<Fault> faults(FaultTarget target) {
    return parts().stream().flatMap(part -> part.faults(target).stream()).toList();
  }

  List<Fault> ofTables(FaultTarget target) {
    return FaultProfile.TABLES.faults(target);
  }

  /** Between two faults of tables: longer where they are not the only ones, which take longer. */
  Duration intervalOfTables() {
    return Duration.ofSeconds(this == TABLES ? 1 : 4);
  }

  /** Settings that the cluster of all cells is started with. */
  static Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    for (CampaignProfile profile : values()) {
      profile.parts().forEach(part -> settings.putAll(part.settings()));
    }
    return settings;
  }
}
