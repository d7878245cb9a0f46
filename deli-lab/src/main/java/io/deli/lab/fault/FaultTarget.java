package io.deli.lab.fault;

import io.deli.index.IndexDefinition;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The target of faults: a table under torture.
 *
 * @param redefinable indexes of it whose queries may fail for a while, as they are dropped
 * @param processes the cluster's, if it is one of processes
 * @param clients the client processes that run now; whoever started them starts again what dies
 * @param otherJar another version of DELI's jar for the servers
 */
public record FaultTarget(
    Connection connection,
    TableName base,
    List<IndexDefinition> redefinable,
    Optional<ProcessFaults> processes,
    Supplier<List<ProcessHandle>> clients,
    Optional<Path> otherJar) {
  public FaultTarget {
    redefinable = List.copyOf(redefinable);
  }
}
