package io.deli.lab.campaign;

import io.deli.lab.fault.Fault;
import io.deli.lab.fault.FaultProfile;
import io.deli.lab.fault.FaultTarget;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The faults of a cell. Those of tables happen in each, beside the others. */
enum CampaignProfile {
  TABLES,
  PROCESSES(FaultProfile.KILLS, FaultProfile.STOPS),
  MACHINES(FaultProfile.NETWORK, FaultProfile.DISK, FaultProfile.CLOCKS),
  OPERATIONS(FaultProfile.SCHEMA, FaultProfile.DEFINITIONS, FaultProfile.OPERATIONS);

  @SuppressWarnings("ImmutableEnumChecker") // it is
  private final List<FaultProfile> parts;

  CampaignProfile(FaultProfile... parts) {
    this.parts = List.of(parts);
  }

  List<Fault> faults(FaultTarget target) {
    return parts.stream().flatMap(part -> part.faults(target).stream()).toList();
  }

  /** Between two faults of tables: longer where they are not the only ones, which take longer. */
  Duration intervalOfTables() {
    return Duration.ofSeconds(this == TABLES ? 1 : 4);
  }

  static Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    for (CampaignProfile profile : values()) {
      profile.parts.forEach(part -> settings.putAll(part.settings()));
    }
    return settings;
  }
}
