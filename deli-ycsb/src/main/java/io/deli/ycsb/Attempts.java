package io.deli.ycsb;

import java.io.IOException;
import java.sql.SQLException;
import org.slf4j.Logger;
import site.ycsb.Status;

/**
 * The operations of one binding, whose failures are a {@link Status} that YCSB counts; the first
 * one is logged. Belongs to one thread, as the binding does.
 */
final class Attempts {
  private final Logger log;
  private boolean failed;

  @FunctionalInterface
  interface Operation {
    Status run() throws IOException, SQLException;
  }

  Attempts(Logger log) {
    this.log = log;
  }

  Status attempt(Operation operation) {
    try {
      return operation.run();
    } catch (IllegalArgumentException e) {
      return failed(Status.BAD_REQUEST, e);
    } catch (IOException | SQLException e) {
      return failed(Status.ERROR, e);
    }
  }

  private Status failed(Status kind, Exception cause) {
    if (!failed) {
      log.warn("An operation failed, the first of this thread; YCSB counts them all.", cause);
      failed = true;
    }
    return kind;
  }
}
