package io.deli.client.internal.connect;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hbase.thirdparty.com.google.common.reflect.AbstractInvocationHandler;

/**
 * HBase's admin, for applications: its connection and its configuration are those that keep
 * indexes. All else is passed on, by a proxy, since HBase's versions differ in an admin's methods.
 */
public final class IndexingAdmin {
  private IndexingAdmin() {}

  /**
   * Wraps an admin.
   *
   * @param indexing that it was asked for; it stands on the admin's own
   */
  public static Admin of(Admin plain, Connection indexing) {
    Connection shown =
        plain.getConnection() instanceof ClusterConnection cluster
            ? internal(cluster, indexing)
            : indexing;
    return proxy(
        Admin.class,
        (method, arguments) ->
            switch (method.getName()) {
              case "getConnection" -> shown;
              case "getConfiguration" -> indexing.getConfiguration();
              default -> call(plain, method, arguments);
            });
  }

  /** HBase's bulk loads take an admin's connection for one of its own class. */
  private static Connection internal(ClusterConnection plain, Connection indexing) {
    return proxy(
        ClusterConnection.class,
        (method, arguments) ->
            call(
                method.getDeclaringClass().isInstance(indexing) ? indexing : plain,
                method,
                arguments));
  }

  private interface Handler {
    Object call(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    AbstractInvocationHandler calls =
        new AbstractInvocationHandler() {
          @Override
          protected Object handleInvocation(Object self, Method method, Object[] arguments)
              throws Throwable {
            return handler.call(method, arguments);
          }

          @Override
          public String toString() {
            return "DELI's " + type.getSimpleName();
          }
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
