package io.deli.coprocessor.spi;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.Superusers;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.security.UserGroupInformation;

/** The current thread, and the client whose request it serves, if it serves one. */
public final class Caller {
  private Caller() {}

  /** Returns for how many milliseconds the client still waits for an answer, at most so many. */
  public static long patience(long mostMillis) {
    long deadline = RpcServer.getCurrentCall().map(RpcCall::getDeadline).orElse(Long.MAX_VALUE);
    return Math.min(mostMillis, deadline - EnvironmentEdgeManager.currentTime());
  }

  /**
   * Returns whether it is a server, which runs as the user that this one runs as, or a superuser.
   */
  public static boolean isServer() throws IOException {
    User caller = RpcServer.getRequestUser().orElse(User.getCurrent());
    User own = User.create(UserGroupInformation.getLoginUser());
    return caller.getShortName().equals(own.getShortName()) || Superusers.isSuperUser(caller);
  }

  /** Returns what the thread is to throw that was interrupted. Sets its flag again. */
  public static InterruptedIOException interrupted(String message, InterruptedException cause) {
    Thread.currentThread().interrupt();
    return (InterruptedIOException) new InterruptedIOException(message).initCause(cause);
  }
}
