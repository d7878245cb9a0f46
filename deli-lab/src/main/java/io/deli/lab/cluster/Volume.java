package io.deli.lab.cluster;

import io.deli.tools.ExitCode;
import io.deli.tools.Failure;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileUtil;

/**
 * A directory of a cluster with a file system of its own, which can be filled: in a sparse file
 * beside it, so that it takes only the space that is used, and data outlasts the mount.
 */
public record Volume(Path directory, long megabytes) {
  /** Setting of a cluster: the size of each of its volumes, in megabytes. */
  public static final String SETTING = "deli.cluster.volume.mb";

  private static final long BLOCK = 4096;

  /** The volumes of a cluster: of the data node, and of the temporary files of all processes. */
  static List<Volume> of(ClusterDirectory directory, Plan plan) {
    return Optional.ofNullable(plan.settings().get(SETTING)).map(Long::valueOf).stream()
        .flatMap(
            size ->
                List.of(plan.node(Role.DATANODE).name(), SiteFiles.TEMPORARY).stream()
                    .map(part -> new Volume(directory.data(part), size)))
        .toList();
  }

  /** Says what this machine lacks for volumes; empty if nothing. */
  public static Optional<String> lack() {
    return Shell.notRoot().or(Volume::probe);
  }

  private static Optional<String> probe() {
    try {
      Path root = Files.createTempDirectory("deli-volume");
      Volume volume = new Volume(root.resolve("probe"), 4);
      try {
        volume.mount();
        return Optional.empty();
      } catch (Failure e) {
        return Optional.of(e.getMessage());
      } finally {
        volume.unmount();
        FileUtil.fullyDelete(root.toFile());
      }
    } catch (IOException e) {
      return Optional.of(e.toString());
    }
  }

  private Path image() {
    return directory.resolveSibling(directory.getFileName() + ".ext4");
  }

  private Path ballast() {
    return directory.resolve("ballast");
  }

  void mount() throws IOException {
    Files.createDirectories(directory);
    if (isMounted()) {
      return;
    }
    if (!Files.exists(image())) {
      try (RandomAccessFile file = new RandomAccessFile(image().toFile(), "rw")) {
        file.setLength(megabytes << 20);
      }
      Shell.require(
          Shell.run("mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", image().toString()));
    }
    Shell.require(Shell.run("mount", "-o", "loop", image().toString(), directory.toString()));
    Files.deleteIfExists(ballast());
  }

  /** Takes it away; its data stays in its file. */
  void unmount() throws IOException {
    if (isMounted()) {
      // Lazily, for a process that has been killed may not be quite gone.
      Shell.require(Shell.run("umount", "-l", directory.toString()));
    }
  }

  private boolean isMounted() throws IOException {
    return Files.isDirectory(directory)
        && !Files.getAttribute(directory, "unix:dev")
            .equals(Files.getAttribute(directory.toAbsolutePath().getParent(), "unix:dev"));
  }

  /** Fills it to the last block; fails if there is still room afterwards. */
  public void fill() {
    try {
      FileStore store = Files.getFileStore(directory);
      // Reserves blocks without writing them. Each step leaves a little, as for what describes it.
      for (long free = store.getUsableSpace(); free >= BLOCK; free = store.getUsableSpace()) {
        long length = (Files.exists(ballast()) ? Files.size(ballast()) : 0) + free;
        if (Shell.run("fallocate", "-l", Long.toString(length), ballast().toString()).isPresent()) {
          break;
        }
      }
      if (store.getUsableSpace() >= 16 * BLOCK) {
        throw new Failure(
            ExitCode.FAILED, "%s still has %d bytes".formatted(directory, store.getUsableSpace()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void remove(String path) {
    FileUtil.fullyDelete(directory.resolve(path).toFile());
  }

  public void relieve() {
    try {
      Files.deleteIfExists(ballast());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
