package io.deli.ycsb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * A binding that passes every operation on to another one, {@code trace.db}, and writes it to the
 * file {@code trace.file} before; see {@link TraceLine} for its form and {@link TraceWorkload} for
 * its use.
 *
 * <p>Several threads share the file. Of two that write one key at the same time, the trace may have
 * the other order than the table.
 */
@SuppressWarnings("NonApiType") // of YCSB's own interface
public class RecordingClient extends DB implements ValueReads {
  private DB recorded;
  private TraceFile trace;

  @Override
  public void init() throws DBException {
    String name = getProperties().getProperty("trace.db", DeliClient.class.getName());
    try {
      recorded = Class.forName(name).asSubclass(DB.class).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new DBException("trace.db=" + name + ": is no binding of YCSB's", e);
    }
    recorded.setProperties(getProperties());
    recorded.init();
    try {
      trace = TraceFile.open(TraceLine.file(getProperties()));
    } catch (IOException | IllegalArgumentException e) {
      recorded.cleanup();
      throw new DBException("cannot write the trace: " + e.getMessage(), e);
    }
    ThreadBindings.enter(this);
  }

  @Override
  public void cleanup() throws DBException {
    ThreadBindings.leave(this);
    try {
      trace.close();
    } catch (IOException e) {
      throw new DBException("the trace is not complete: " + e.getMessage(), e);
    } finally {
      recorded.cleanup();
    }
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    write(TraceLine.of("READ", key).with(fields));
    return recorded.read(table, key, fields, result);
  }

  @Override
  public Status scan(
      String table,
      String startkey,
      int recordcount,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    write(TraceLine.of("SCAN", startkey, Integer.toString(recordcount)).with(fields));
    return recorded.scan(table, startkey, recordcount, fields, result);
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return recorded.update(table, key, write("UPDATE", key, values));
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return recorded.insert(table, key, write("INSERT", key, values));
  }

  @Override
  public Status delete(String table, String key) {
    write(TraceLine.of("DELETE", key));
    return recorded.delete(table, key);
  }

  @Override
  public Status find(String table, ValueRead read, List<HashMap<String, ByteIterator>> result) {
    write(TraceLine.of(read));
    return ValueReads.of(recorded).find(table, read, result);
  }

  /** Values can be read once only; those that come back can be read again. */
  private Map<String, ByteIterator> write(
      String operation, String key, Map<String, ByteIterator> values) {
    Map<String, byte[]> bytes = new TreeMap<>();
    values.forEach((field, value) -> bytes.put(field, value.toArray()));
    write(TraceLine.of(operation, key).with(bytes));
    Map<String, ByteIterator> again = new HashMap<>();
    bytes.forEach((field, value) -> again.put(field, new ByteArrayByteIterator(value)));
    return again;
  }

  /** A trace with gaps is of no use: the run ends. */
  private void write(TraceLine line) {
    try {
      trace.write(line);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the trace", e);
    }
  }
}
