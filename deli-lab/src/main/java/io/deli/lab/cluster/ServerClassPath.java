package io.deli.lab.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The class path of the servers: the libraries of this JVM without anything of DELI's, whose jar
 * tables and the master's settings name.
 */
final class ServerClassPath {
  private static final String WEB_PAGES = "hbase-webapps";

  private final ClusterDirectory directory;

  ServerClassPath(ClusterDirectory directory) {
    this.directory = directory;
  }

  void write() throws IOException {
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
