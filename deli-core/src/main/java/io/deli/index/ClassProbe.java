package io.deli.index;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.common.base.Splitter;

/**
 * A filter that lets nothing pass, whose arrival tells whether a region server can load classes.
 *
 * <p>A region server that fails to load a table's coprocessor aborts. Sent with a Get, this filter
 * asks first: the server instantiates it, which fails cleanly if DELI is not on its class path, and
 * it loads the classes named, by the loader that HBase takes for coprocessors.
 */
public final class ClassProbe extends FilterBase {
  private static final Splitter NAMES = Splitter.on(',');

  private final List<String> classNames;

  public ClassProbe(Collection<String> classNames) {
    this.classNames = List.copyOf(classNames);
  }

  /** Called by HBase on the region server. */
  public static ClassProbe parseFrom(byte[] bytes) throws DeserializationException {
    List<String> names = NAMES.splitToList(Bytes.toString(bytes));
    for (String name : names) {
      try {
        Class.forName(name, false, Mutation.class.getClassLoader());
      } catch (ClassNotFoundException | LinkageError e) {
        throw new DeserializationException("class not found: " + name, e);
      }
    }
    return new ClassProbe(names);
  }

  @Override
  public byte[] toByteArray() {
    return Bytes.toBytes(String.join(",", classNames));
  }

  @Override
  public boolean filterAllRemaining() throws IOException {
    return true;
  }
}
