package io.deli.client.internal.admin;

import io.deli.config.DeliSettings;
import io.deli.index.ClassProbe;
import io.deli.index.IndexDefinition;
import io.deli.strategy.FileIndexing;
import io.deli.strategy.Strategies;
import io.deli.token.Tokenizers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * The place from which region servers load the coprocessor: a jar on a shared file system ({@code
 * deli.coprocessor.jar}), or their class path.
 */
final class CoprocessorSource {
  /** The class that stands for the module of file indexes. */
  private static final String FILE_INDEXES = "io.deli.fileindex.BlockIndexing";

  private final Connection connection;
  private final String jar;

  CoprocessorSource(Connection connection) {
    this.connection = connection;
    this.jar = DeliSettings.COPROCESSOR_JAR.get(connection.getConfiguration());
  }

  CoprocessorDescriptor descriptor() {
    CoprocessorDescriptorBuilder builder =
        CoprocessorDescriptorBuilder.newBuilder(Schema.COPROCESSOR);
    return (jar.isEmpty() ? builder : builder.setJarPath(jar)).build();
  }

  /**
   * Checks that the coprocessor and what an index needs of it can be loaded, since a region server
   * that fails to load a coprocessor aborts, and one that cannot keep an index refuses its use.
   *
   * <p>A jar is opened and searched. Without one, each live region server is asked through a region
   * it holds; one that holds none that answers cannot be asked.
   */
  void requireLoadable(TableName table, IndexDefinition definition) throws IOException {
    requireLoadable(Tokenizers.userClass(definition).map(Set::of).orElse(Set.of()));
    if (Strategies.named(definition.strategy()).fileIndexing() != FileIndexing.NONE) {
      requireFileIndexes(table, definition);
    }
  }

  private void requireFileIndexes(TableName table, IndexDefinition definition) throws IOException {
    Set<String> wanted = Set.of(FILE_INDEXES);
    List<?> without = jar.isEmpty() ? lacking(wanted) : List.copyOf(missing(wanted));
    if (!without.isEmpty()) {
      String where =
          jar.isEmpty()
              ? "on region servers " + without
              : "in %s = %s".formatted(DeliSettings.COPROCESSOR_JAR.key(), jar);
      throw new DoNotRetryIOException(
          FileIndexing.missing(table, definition, where) + "; nothing was changed");
    }
  }

  /** The same for the coprocessor and these classes. */
  void requireLoadable(Set<String> furtherClasses) throws IOException {
    Set<String> wanted = new TreeSet<>(furtherClasses);
    wanted.add(Schema.COPROCESSOR);
    if (jar.isEmpty()) {
      List<ServerName> lacking = lacking(wanted);
      if (!lacking.isEmpty()) {
        throw new DoNotRetryIOException(
            "region servers %s cannot load %s; nothing was changed. Put deli-coprocessor-<version>-server.jar on their class path and restart them, or set %s."
                .formatted(lacking, wanted, DeliSettings.COPROCESSOR_JAR.key()));
      }
    } else {
      Set<String> missing = missing(wanted);
      if (!missing.isEmpty()) {
        throw new DoNotRetryIOException(
            "%s = %s lacks %s. Use deli-coprocessor-<version>-server.jar with your own classes added."
                .formatted(DeliSettings.COPROCESSOR_JAR.key(), jar, missing));
      }
    }
  }

  /** Returns the classes that the jar lacks. */
  private Set<String> missing(Set<String> wanted) throws IOException {
    Path path = new Path(jar);
    FileSystem files = path.getFileSystem(connection.getConfiguration());
    if (!files.exists(path)) {
      throw new DoNotRetryIOException(
          "%s = %s: there is no such file. Put deli-coprocessor-<version>-server.jar there."
              .formatted(DeliSettings.COPROCESSOR_JAR.key(), jar));
    }
    Set<String> missing = new TreeSet<>(wanted);
    try (JarInputStream in = new JarInputStream(files.open(path))) {
      for (JarEntry entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
        missing.remove(entry.getName().replaceFirst("[.]class$", "").replace('/', '.'));
      }
    }
    return missing;
  }

  /** The region servers that cannot load them. */
  private List<ServerName> lacking(Set<String> wanted) throws IOException {
    List<ServerName> lacking = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      for (ServerName server : new TreeSet<>(admin.getRegionServers())) {
        if (!canLoad(admin.getRegions(server), wanted)) {
          lacking.add(server);
        }
      }
    }
    return lacking;
  }

  /** Whether a server can load them; of one that cannot be asked it is taken for granted. */
  private boolean canLoad(List<RegionInfo> regions, Set<String> wanted) throws IOException {
    for (RegionInfo region : regions) {
      // Reads go to the server that has the primary.
      if (RegionReplicaUtil.isDefaultReplica(region)) {
        Optional<Boolean> answer = canLoad(region, wanted);
        if (answer.isPresent()) {
          return answer.get();
        }
      }
    }
    return true;
  }

  /** Empty if the region cannot tell: its table is being disabled, or lets nobody read. */
  private Optional<Boolean> canLoad(RegionInfo region, Set<String> wanted) throws IOException {
    byte[] row = region.getStartKey().length == 0 ? new byte[] {0} : region.getStartKey();
    try (Table table = connection.getTable(region.getTable())) {
      try {
        return Optional.of(isReached(table, row, new ClassProbe(wanted)));
      } catch (DoNotRetryIOException e) {
        return isReached(table, row, new PageFilter(0)) ? Optional.of(false) : Optional.empty();
      }
    } catch (DoNotRetryIOException e) {
      return Optional.empty();
    }
  }

  /** Whether a region server reads a filter that lets nothing pass. */
  private static boolean isReached(Table table, byte[] row, Filter filter) throws IOException {
    try {
      return table.get(new Get(row).setFilter(filter)).isEmpty();
    } catch (AccessDeniedException e) {
      // The server reads the filter before it checks the permission.
      return true;
    }
  }
}
