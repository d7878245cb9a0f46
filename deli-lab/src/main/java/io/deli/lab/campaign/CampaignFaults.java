package io.deli.lab.campaign;

import io.deli.index.IndexDefinition;
import io.deli.lab.fault.Fault;
import io.deli.lab.fault.IndexFaults;
import io.deli.lab.fault.ProcessFaults;
import io.deli.lab.fault.TableFaults;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/** The faults of a profile. */
final class CampaignFaults {
  static final String NONE = "none";
  static final String TABLES = "tables";
  static final String PROCESSES = "processes";
  static final String INDEXES = "indexes";

  private final String profile;
  private final ProcessFaults processes;

  CampaignFaults(String profile, ProcessFaults processes) {
    this.profile = profile;
    this.processes = processes;
  }

  static List<String> profiles() {
    return Boolean.getBoolean("deli.campaign.none") ? List.of(NONE) : List.of(PROCESSES, TABLES, INDEXES);
  }

  List<Fault> ofTables(Connection connection, TableName table, List<IndexDefinition> indexes) {
    if (profile.equals(NONE)) {
      return List.of();
    }
    List<Fault> all = new ArrayList<>(new TableFaults(connection, table).all());
    if (profile.equals(INDEXES)) {
      all.addAll(new IndexFaults(connection, table, indexes).all());
    }
    return all;
  }

  List<Fault> ofClients(ClientProcesses clients) {
    return profile.equals(NONE) ? List.of() : clients.faults();
  }

  List<Fault> ofCluster() {
    return profile.equals(PROCESSES) ? processes.all() : List.of();
  }
}
