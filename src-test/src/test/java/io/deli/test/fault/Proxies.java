package io.deli.test.fault;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Objects that do some of what another does otherwise. */
public final class Proxies {
  private Proxies() {}

  /** Returns an object of an interface whose methods the handler carries out. */
  public static <T> T of(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Returns what does as a real object does, but for the methods of a name. */
  public static <T> T of(Class<T> type, T real, String name, InvocationHandler handler) {
    return of(
        type,
        (self, method, arguments) ->
            method.getName().equals(name)
                ? handler.invoke(self, method, arguments)
                : call(real, method, arguments));
  }

  /** Has the real object carry out a method; what that throws is thrown as it is. */
  public static Object call(Object real, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
