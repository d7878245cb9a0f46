package io.deli.lab.experiment;

import io.deli.lab.cluster.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.FileUtil;

/**
 * A server of an experiment's own, with its data: closing it kills the one and deletes the other,
 * and so does the end of this JVM.
 */
final class OwnProcess implements AutoCloseable {
  private final Process process;
  private final List<Path> directories;
  private final Thread hook;

  private OwnProcess(Process process, List<Path> directories) {
    this.process = process;
    this.directories = directories;
    this.hook = new Thread(this::discard, "experiment-server-stop");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Starts it; if that fails, its directories are deleted. */
  static OwnProcess start(ProcessBuilder command, Path... directories) throws IOException {
    List<Path> all = List.of(directories);
    try {
      return new OwnProcess(command.start(), all);
    } catch (IOException e) {
      delete(all);
      throw e;
    }
  }

  private static void delete(List<Path> directories) {
    directories.forEach(directory -> FileUtil.fullyDelete(directory.toFile()));
  }

  Process process() {
    return process;
  }

  /** Waits until the server is up, for so long at most; false if it is not, or has ended. */
  boolean comesUp(Duration patience, BooleanSupplier up) {
    return Await.until(patience, () -> up.getAsBoolean() || !process.isAlive())
        && process.isAlive();
  }

  private void discard() {
    process.destroyForcibly();
    process.onExit().join();
    delete(directories);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM ends, and waits for the hook.
      return;
    }
    discard();
  }
}
