package io.deli.coprocessor.spi;

import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/** The client whose request the current thread serves, if it serves one. */
public final class Caller {
  private Caller() {}

  /** Returns for how many milliseconds it still waits for an answer, at most so many. */
  public static long patience(long mostMillis) {
    long deadline = RpcServer.getCurrentCall().map(RpcCall::getDeadline).orElse(Long.MAX_VALUE);
    return Math.min(mostMillis, deadline - EnvironmentEdgeManager.currentTime());
  }
}
