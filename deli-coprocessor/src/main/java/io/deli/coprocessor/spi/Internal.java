package io.deli.coprocessor.spi;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Optional;

/** A field or method that HBase promises nobody, found by its name, if this HBase has it. */
public final class Internal {
  private static final String HBASE = "org.apache.hadoop.hbase.";

  private final String name;
  private final String without;
  private final Optional<AccessibleObject> member;

  private Internal(String name, String without, Optional<AccessibleObject> member) {
    this.name = name;
    this.without = without;
    this.member = member;
  }

  private interface Search {
    AccessibleObject in(Class<?> owner) throws ReflectiveOperationException;
  }

  /**
   * Looks for a field.
   *
   * @param owner name of the class, below HBase's root package
   * @param type simple name of the field's type; a field of another one is not taken for this one
   * @param without what happens if it is not there, as a clause
   */
  public static Internal field(String owner, String name, String type, String without) {
    return find(
        owner,
        name,
        without,
        of -> {
          Field field = of.getDeclaredField(name);
          return ofType(type, field.getType(), field);
        });
  }

  /** Looks for a method in the same way; the type is that of its result. */
  public static Internal method(
      String owner, String name, String type, String without, Class<?>... parameters) {
    return find(
        owner,
        name,
        without,
        of -> {
          Method method = of.getDeclaredMethod(name, parameters);
          return ofType(type, method.getReturnType(), method);
        });
  }

  private static Internal find(String owner, String name, String without, Search search) {
    String shown = owner.substring(owner.lastIndexOf('.') + 1) + "." + name;
    try {
      Class<?> of = Class.forName(HBASE + owner, false, Internal.class.getClassLoader());
      AccessibleObject found = search.in(of);
      found.setAccessible(true);
      return new Internal(shown, without, Optional.of(found));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return new Internal(shown, without, Optional.empty());
    }
  }

  private static AccessibleObject ofType(String asked, Class<?> type, AccessibleObject member)
      throws NoSuchFieldException {
    if (!type.getSimpleName().equals(asked)) {
      throw new NoSuchFieldException(member + " is no " + asked);
    }
    return member;
  }

  /** Says that it is missing, and what happens then; empty if it is there. */
  public Optional<String> missing() {
    return member.isPresent() ? Optional.empty() : Optional.of(sentence());
  }

  /** The consequence if it is missing. */
  public String without() {
    return without;
  }

  private String sentence() {
    return name + " is gone: " + without;
  }

  /** Whether an object has it. */
  public boolean isOf(Object object) {
    return member
        .filter(found -> ((Member) found).getDeclaringClass().isInstance(object))
        .isPresent();
  }

  public Object get(Object of) throws ReflectiveOperationException {
    return ((Field) found()).get(of);
  }

  public void set(Object of, Object value) throws ReflectiveOperationException {
    ((Field) found()).set(of, value);
  }

  public Object call(Object of, Object... arguments) throws ReflectiveOperationException {
    return ((Method) found()).invoke(of, arguments);
  }

  private AccessibleObject found() throws ReflectiveOperationException {
    return member.orElseThrow(() -> new ReflectiveOperationException(sentence()));
  }

  @Override
  public String toString() {
    return name;
  }
}
