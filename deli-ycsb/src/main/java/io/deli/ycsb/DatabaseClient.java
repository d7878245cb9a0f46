package io.deli.ycsb;

import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;

/**
 * A binding to a database, for which insert and update are one. A failed operation is a {@link
 * Status}, which YCSB counts; the first one of each thread is logged.
 */
@SuppressWarnings("NonApiType") // of YCSB's own interface
abstract class DatabaseClient extends DB implements ValueReads {
  private final Logger log = LoggerFactory.getLogger(getClass());
  private boolean failed;

  @FunctionalInterface
  private interface Operation {
    Status run() throws IOException, SQLException;
  }

  /**
   * A read of consecutive records.
   *
   * @param fields to be read; all of them if null
   */
  record RecordScan(String table, String start, int limit, Set<String> fields) {}

  abstract Status get(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result)
      throws IOException, SQLException;

  abstract Status scan(RecordScan scan, List<HashMap<String, ByteIterator>> result)
      throws IOException, SQLException;

  abstract Status put(String table, String key, Map<String, ByteIterator> values)
      throws IOException, SQLException;

  abstract Status remove(String table, String key) throws IOException, SQLException;

  abstract Status lookup(String table, ValueRead read, List<HashMap<String, ByteIterator>> result)
      throws IOException, SQLException;

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    return attempt(() -> get(table, key, fields, result));
  }

  @Override
  public Status scan(
      String table,
      String startkey,
      int recordcount,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return attempt(() -> scan(new RecordScan(table, startkey, recordcount, fields), result));
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return update(table, key, values);
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return attempt(() -> put(table, key, values));
  }

  @Override
  public Status delete(String table, String key) {
    return attempt(() -> remove(table, key));
  }

  @Override
  public Status find(String table, ValueRead read, List<HashMap<String, ByteIterator>> result) {
    return attempt(() -> lookup(table, read, result));
  }

  private Status attempt(Operation operation) {
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

  /**
   * Counts that the end of a binding failed: YCSB prints what that throws and goes on, so that only
   * its report can tell of writes that waited and were lost.
   */
  final DBException lost(Exception cause) {
    // Outside YCSB there may be none to count by.
    Measurements.setProperties(getProperties());
    Measurements.getMeasurements().reportStatus("CLEANUP", Status.ERROR);
    return new DBException(cause.getMessage(), cause);
  }
}
