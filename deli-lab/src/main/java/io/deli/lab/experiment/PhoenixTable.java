package io.deli.lab.experiment;

import io.deli.lab.experiment.Experiment.Arm;
import io.deli.lab.experiment.Experiment.Layout;
import io.deli.tools.Failure;
import io.deli.ycsb.JdbcClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.DB;

/**
 * A table of Phoenix's with an index of one of its kinds: {@code global}, {@code covered}, which is
 * global with all other fields in it, {@code local}, or {@code uncovered}. Phoenix is no part of
 * the build: {@code bin/lab} has it on the class path if one of its arms is asked for.
 */
final class PhoenixTable extends HBaseTable {
  private static final String DRIVER = "org.apache.phoenix.jdbc.PhoenixDriver";

  private static final Map<String, String> SERVER =
      Map.of(
          "hbase.regionserver.wal.codec",
          "org.apache.hadoop.hbase.regionserver.wal.IndexedWALEditCodec",
          "hbase.region.server.rpc.scheduler.factory.class",
          "org.apache.hadoop.hbase.ipc.PhoenixRpcSchedulerFactory",
          "hbase.rpc.controllerfactory.class",
          "org.apache.hadoop.hbase.ipc.controller.ServerRpcControllerFactory");

  private final TableName index;
  private final String kind;
  private final int fields;

  PhoenixTable(Lab lab, TableName name, Arm arm, Layout layout, Map<String, String> workload) {
    super(lab, name, arm, layout, workload);
    index = TableName.valueOf(name.getNameAsString() + "_" + INDEX);
    kind = arm.strategy();
    fields = Integer.parseInt(workload.getOrDefault("fieldcount", "1"));
  }

  /** Returns the settings that HBase needs for its server part; fails if that is not there. */
  static Map<String, String> serverSettings() {
    try {
      Class.forName(DRIVER);
      return SERVER;
    } catch (ClassNotFoundException e) {
      throw Failure.usage(
          "the arms of Phoenix need its jars, which bin/lab has Maven fetch when one is named: see"
              + " what Maven said, or leave them out");
    }
  }

  @Override
  List<TableName> entries() {
    return kind.equals("local") ? List.of() : List.of(index);
  }

  @Override
  public void create() throws IOException {
    drop();
    String columns = others(" VARCHAR");
    database()
        .execute(
            "CREATE TABLE %s (YCSB_KEY VARCHAR PRIMARY KEY, %s VARCHAR%s) UPDATE_CACHE_FREQUENCY=900000%s"
                .formatted(quoted(name()), quoted(Workloads.FIELD), columns, splits(rowCuts())));
    String covered = kind.equals("covered") && fields > 1 ? others("").substring(1) : "";
    database()
        .execute(
            "CREATE %sINDEX %s ON %s (%s)%s%s"
                .formatted(
                    kind.equals("local") || kind.equals("uncovered") ? kind + " " : "",
                    quoted(index),
                    quoted(name()),
                    quoted(Workloads.FIELD),
                    covered.isEmpty() ? "" : " INCLUDE (" + covered + ")",
                    kind.equals("local") ? "" : splits(valueCuts())));
  }

  private String others(String type) {
    return IntStream.range(1, fields)
        .mapToObj(i -> "," + quoted("field" + i) + type)
        .collect(Collectors.joining());
  }

  private static String splits(List<byte[]> cuts) {
    return cuts.isEmpty()
        ? ""
        : cuts.stream()
            .map(cut -> "'" + Bytes.toString(cut) + "'")
            .collect(Collectors.joining(", ", " SPLIT ON (", ")"));
  }

  private static String quoted(Object name) {
    return "\"" + name + "\"";
  }

  private Database database() {
    Configuration hbase = lab().plain().getConfiguration();
    String url =
        "jdbc:phoenix:%s:%s"
            .formatted(
                hbase.get(HConstants.ZOOKEEPER_QUORUM),
                hbase.get(HConstants.ZOOKEEPER_CLIENT_PORT));
    return new Database(url, OptionalLong.empty());
  }

  @Override
  public DB binding() {
    return new JdbcClient();
  }

  @Override
  public void describe(Properties properties) {
    properties.setProperty("table", name().getNameAsString());
    properties.setProperty("db.url", database().url());
    properties.setProperty("db.driver", DRIVER);
    properties.setProperty("db.hint", "INDEX(%s %s)".formatted(quoted(name()), quoted(index)));
  }

  @Override
  public void drop() throws IOException {
    database().execute("DROP TABLE IF EXISTS " + quoted(name()));
  }
}
