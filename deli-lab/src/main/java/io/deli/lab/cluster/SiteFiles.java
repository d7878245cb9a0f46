package io.deli.lab.cluster;

import io.deli.config.DeliSettings;
import io.deli.tools.embedded.EmbeddedHBase;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** The configuration that servers and clients of a cluster read, and the servers' class path. */
record SiteFiles(ClusterDirectory directory, Plan plan) {
  /** Part of the data. */
  static final String TEMPORARY = "tmp";

  private static final String LOG4J =
      """
      log4j.rootLogger=INFO, file
      log4j.appender.file=org.apache.log4j.RollingFileAppender
      log4j.appender.file.File=${deli.log}
      log4j.appender.file.MaxFileSize=20MB
      log4j.appender.file.MaxBackupIndex=3
      log4j.appender.file.layout=org.apache.log4j.PatternLayout
      log4j.appender.file.layout.ConversionPattern=%d{ISO8601} %-5p [%t] %c{2}: %m%n
      """;

  private static final String WEB_PAGES = "hbase-webapps";
  private static final String MASTER_CLASSES = "hbase.coprocessor.master.classes";

  void write() throws IOException {
    Files.createDirectories(directory.conf());
    write("core-site.xml", Map.of("fs.defaultFS", plan.fileSystem()));
    write("hdfs-site.xml", hdfs());
    write("hbase-site.xml", hbase());
    Files.writeString(directory.conf().resolve("log4j.properties"), LOG4J);
    writeClassPath();
  }

  private Map<String, String> hdfs() {
    Map<String, String> hdfs = new TreeMap<>();
    hdfs.putAll(plan.node(Role.NAMENODE).settings());
    hdfs.putAll(plan.node(Role.DATANODE).settings());
    hdfs.put("dfs.replication", "1");
    hdfs.put("dfs.namenode.name.dir", directory.data("namenode").toUri().toString());
    hdfs.put("dfs.datanode.data.dir", directory.data("datanode").toUri().toString());
    hdfs.put("dfs.datanode.hostname", plan.node(Role.DATANODE).host());
    // Hosts with addresses of their own have no names.
    hdfs.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    // Up and out of safe mode as soon as the one data node has reported.
    hdfs.put("dfs.heartbeat.interval", "1");
    hdfs.put("dfs.namenode.safemode.extension", "0");
    hdfs.putAll(Hdfs.PROMPT);
    hdfs.put("hadoop.tmp.dir", directory.data(TEMPORARY).toString());
    hdfs.putAll(plan.settings());
    return hdfs;
  }

  private Map<String, String> hbase() {
    Map<String, String> hbase = new TreeMap<>();
    String zooKeeper = plan.node(Role.ZOOKEEPER).host();
    hbase.putAll(plan.node(Role.ZOOKEEPER).settings());
    hbase.putAll(plan.node(Role.MASTER).settings());
    hbase.put("hbase.cluster.distributed", "true");
    hbase.put("hbase.rootdir", plan.fileSystem() + "/hbase");
    hbase.put("hbase.tmp.dir", directory.data(TEMPORARY).toString());
    // Whoever starts deletes the copies of coprocessors' jars that others left there.
    hbase.put("hbase.local.dir", "${hbase.tmp.dir}/local-${hbase.regionserver.port}");
    hbase.put("hbase.zookeeper.quorum", zooKeeper);
    hbase.put("hbase.zookeeper.property.dataDir", directory.data("zookeeper").toString());
    hbase.put("hbase.zookeeper.property.clientPortAddress", zooKeeper);
    Node master = plan.node(Role.MASTER);
    hbase.put("hbase.master.ipc.address", master.address());
    hbase.put("hbase.master.info.bindAddress", master.address());
    hbase.put("hbase.master.hostname", master.host());
    // Class, priority (HBase's own) and jar, which is on HDFS before the master starts.
    String jar = plan.settings().get(DeliSettings.COPROCESSOR_JAR.key());
    String observer = EmbeddedHBase.MASTER_OBSERVER + "||" + jar;
    hbase.put("hbase.master.wait.on.regionservers.mintostart", "1");
    hbase.put(
        "hbase.master.wait.on.regionservers.maxtostart",
        Integer.toString(plan.nodes(Role.REGION_SERVER).size()));
    hbase.put("hbase.regionserver.handler.count", "12");
    hbase.put("hbase.regionserver.metahandler.count", "4");
    hbase.put("hbase.master.procedure.threads", "4");
    hbase.putAll(EmbeddedHBase.PROMPT);
    hbase.put("hfile.block.cache.size", "0.25");
    hbase.put("hbase.regionserver.global.memstore.size", "0.35");
    hbase.put("hbase.hregion.memstore.flush.size", Integer.toString(16 << 20));
    hbase.putAll(plan.settings());
    // Beside those that the settings name.
    hbase.merge(MASTER_CLASSES, observer, (others, own) -> others + "," + own);
    return hbase;
  }

  private void write(String name, Map<String, String> settings) throws IOException {
    Configuration conf = new Configuration(false);
    settings.forEach(conf::set);
    try (OutputStream out = Files.newOutputStream(directory.conf().resolve(name))) {
      conf.writeXml(out);
    }
  }

  /**
   * The class path of the servers: the libraries of this JVM without anything of DELI's, whose jar
   * tables and the master's settings name.
   */
  private void writeClassPath() throws IOException {
    List<String> entries = new ArrayList<>();
    entries.add(directory.conf().toString());
    entries.add(directory.web().toString());
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (!entry.isEmpty() && !isOurs(Path.of(entry))) {
        entries.add(Path.of(entry).toAbsolutePath().toString());
      }
    }
    // HDFS refuses to start without these, though nobody looks at their pages.
    for (String page : new String[] {"hdfs", "datanode", "static"}) {
      Files.createDirectories(directory.web().resolve("webapps").resolve(page));
    }
    Files.writeString(directory.classPath(), String.join(File.pathSeparator, entries));
  }

  private boolean isOurs(Path entry) throws IOException {
    if (Files.isDirectory(entry)) {
      return takePages(entry) || Files.isDirectory(entry.resolve("io/deli"));
    }
    if (!Files.isRegularFile(entry) || !entry.getFileName().toString().startsWith("deli-")) {
      return false;
    }
    try (FileSystem jar = FileSystems.newFileSystem(entry)) {
      return takePages(jar.getPath("/")) || Files.isDirectory(jar.getPath("/io/deli"));
    }
  }

  /** Copies HBase's web pages, which come with our classes. */
  private boolean takePages(Path from) throws IOException {
    Path pages = from.resolve(WEB_PAGES);
    if (!Files.isDirectory(pages)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(pages)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path copy = directory.web().resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else if (!Files.exists(copy)) {
          Files.copy(file, copy);
        }
      }
    }
    return true;
  }
}
