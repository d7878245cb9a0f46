package io.deli.test.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.TableName;

/** The metrics of one connection, read by JMX as a monitor would. */
record ClientBeans(String connection) {
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  /** Of the only connection that has read by an index of the table. */
  static ClientBeans thatRead(TableName table) throws JMException {
    Set<ObjectName> found = query("name=query,index=*,connection=*,table=" + quoted(table));
    assertThat(found).hasSize(1);
    return new ClientBeans(found.iterator().next().getKeyProperty("connection"));
  }

  private static String quoted(TableName table) {
    return ObjectName.quote(table.getNameAsString());
  }

  private static Set<ObjectName> query(String keys) throws JMException {
    return SERVER.queryNames(new ObjectName("io.deli.client:" + keys), null);
  }

  /** All that are published. */
  static Set<ObjectName> all() throws JMException {
    return query("*");
  }

  /** Of the connection as a whole. */
  Object of(String name, String attribute) throws JMException {
    return SERVER.getAttribute(
        new ObjectName("io.deli.client:connection=%s,name=%s".formatted(connection, name)),
        attribute);
  }

  long count(String name) throws JMException {
    return (long) of(name, "Count");
  }

  /** Of one index. */
  Object of(TableName table, String index, String name, String attribute) throws JMException {
    return SERVER.getAttribute(
        new ObjectName(
            "io.deli.client:connection=%s,table=%s,index=%s,name=%s"
                .formatted(connection, quoted(table), index, name)),
        attribute);
  }

  /** Names of the connection's metrics; without those by index, or only these. */
  Set<String> names(boolean byIndex) throws JMException {
    Set<String> names = new TreeSet<>();
    for (ObjectName bean : query("connection=" + connection + ",*")) {
      if ((bean.getKeyProperty("index") != null) == byIndex) {
        names.add(bean.getKeyProperty("name"));
      }
    }
    return names;
  }
}
