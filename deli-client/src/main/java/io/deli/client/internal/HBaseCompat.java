package io.deli.client.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncConnectionImpl;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.security.User;

/**
 * Calls methods that HBase's client has from 2.6 on: attributes of connections and of requests, and
 * metrics of single queries.
 *
 * <p>The methods are looked up by reflection, so that one jar serves either version. Without them,
 * getters return nothing and setters fail.
 */
public final class HBaseCompat {
  private static final String GET = "getRequestAttributes";
  private static final String SET = "setRequestAttribute";
  private static final Optional<Method> OF_TABLE = find(Table.class, GET);
  private static final Optional<Method> OF_ASYNC_TABLE = find(AsyncTable.class, GET);
  private static final Optional<Method> OF_MUTATOR = find(BufferedMutatorParams.class, GET);
  private static final Optional<Method> ON_TABLE = setter(TableBuilder.class);
  private static final Optional<Method> ON_ASYNC_TABLE = setter(AsyncTableBuilder.class);
  private static final Optional<Method> CONNECT =
      find(
          ConnectionFactory.class,
          "createConnection",
          Configuration.class,
          ExecutorService.class,
          User.class,
          Map.class);
  private static final Optional<Method> CONNECT_ASYNC =
      find(
          ConnectionFactory.class,
          "createAsyncConnection",
          Configuration.class,
          User.class,
          Map.class);
  private static final Optional<Constructor<AsyncConnectionImpl>> ASYNC_CONNECTION =
      constructor(
          AsyncConnectionImpl.class,
          Configuration.class,
          ConnectionRegistry.class,
          String.class,
          User.class,
          Map.class);
  private static final Optional<Method> HAS_METRICS =
      find(CheckAndMutate.class, "isQueryMetricsEnabled");
  private static final Optional<Method> ASK_METRICS =
      find(CheckAndMutate.Builder.class, "queryMetricsEnabled", boolean.class);

  private HBaseCompat() {}

  /** The attributes of every request of a table. */
  public static Map<String, byte[]> attributes(Table table) {
    return attributes(OF_TABLE, table);
  }

  /** The attributes of every request of a table. */
  public static Map<String, byte[]> attributes(AsyncTable<?> table) {
    return attributes(OF_ASYNC_TABLE, table);
  }

  /** The attributes of every request of a mutator. */
  public static Map<String, byte[]> attributes(BufferedMutatorParams mutator) {
    return attributes(OF_MUTATOR, mutator);
  }

  /** Gives every request of a table an attribute. */
  public static void setAttribute(TableBuilder table, String key, byte[] value) {
    call(needed(ON_TABLE), table, key, value);
  }

  /** Gives every request of a table an attribute. */
  public static void setAttribute(AsyncTableBuilder<?> table, String key, byte[] value) {
    call(needed(ON_ASYNC_TABLE), table, key, value);
  }

  /** HBase's own connection; with attributes, if there are any. */
  public static Connection connect(
      Configuration configuration, ExecutorService pool, User user, Map<String, byte[]> attributes)
      throws IOException {
    if (attributes.isEmpty()) {
      return ConnectionFactory.createConnection(configuration, pool, user);
    }
    try {
      return (Connection) call(needed(CONNECT), null, configuration, pool, user, attributes);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** HBase's own connection; with attributes, if there are any. */
  @SuppressWarnings("unchecked") // as the method is declared
  public static CompletableFuture<AsyncConnection> connect(
      Configuration configuration, User user, Map<String, byte[]> attributes) {
    if (attributes.isEmpty()) {
      return ConnectionFactory.createAsyncConnection(configuration, user);
    }
    return (CompletableFuture<AsyncConnection>)
        call(needed(CONNECT_ASYNC), null, configuration, user, attributes);
  }

  /**
   * HBase's own connection, made as {@code ConnectionFactory} makes it.
   *
   * @param attributes of every request; null or empty for none
   */
  public static AsyncConnection connect(
      Configuration configuration,
      ConnectionRegistry registry,
      String clusterId,
      User user,
      Map<String, byte[]> attributes) {
    if (attributes == null || attributes.isEmpty()) {
      return new AsyncConnectionImpl(configuration, registry, clusterId, user);
    }
    Constructor<AsyncConnectionImpl> constructor = ASYNC_CONNECTION.orElseThrow(HBaseCompat::older);
    return call(
        constructor,
        () -> constructor.newInstance(configuration, registry, clusterId, user, attributes));
  }

  /** Requests the query metrics for a condition if another condition requests them. */
  public static void copyMetrics(CheckAndMutate from, CheckAndMutate.Builder to) {
    if (HAS_METRICS.isPresent() && ASK_METRICS.isPresent()) {
      call(ASK_METRICS.get(), to, call(HAS_METRICS.get(), from));
    }
  }

  private static Optional<Method> setter(Class<?> type) {
    return find(type, SET, String.class, byte[].class);
  }

  private static Optional<Method> find(Class<?> type, String name, Class<?>... parameters) {
    try {
      return Optional.of(type.getMethod(name, parameters));
    } catch (NoSuchMethodException e) {
      return Optional.empty();
    }
  }

  @SuppressWarnings("unchecked") // as the methods are declared
  private static Map<String, byte[]> attributes(Optional<Method> getter, Object of) {
    return getter.map(method -> (Map<String, byte[]>) call(method, of)).orElse(Map.of());
  }

  private static <T> Optional<Constructor<T>> constructor(Class<T> type, Class<?>... parameters) {
    try {
      return Optional.of(type.getConstructor(parameters));
    } catch (NoSuchMethodException e) {
      return Optional.empty();
    }
  }

  private static Method needed(Optional<Method> method) {
    return method.orElseThrow(HBaseCompat::older);
  }

  private static UnsupportedOperationException older() {
    return new UnsupportedOperationException(
        "this HBase client knows no attributes of requests: use 2.6 or newer");
  }

  private interface Reflection<T> {
    T call() throws ReflectiveOperationException;
  }

  private static Object call(Method method, Object target, Object... arguments) {
    return call(method, () -> method.invoke(target, arguments));
  }

  private static <T> T call(Executable called, Reflection<T> call) {
    try {
      return call.call();
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof IOException cause) {
        throw new UncheckedIOException(cause);
      }
      throw new IllegalStateException(called + " failed", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("HBase does not let " + called + " be called", e);
    }
  }
}
