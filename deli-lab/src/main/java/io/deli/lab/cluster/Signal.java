package io.deli.lab.cluster;

import io.deli.tools.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A signal that stops a process where it is, or lets it go on. */
public enum Signal {
  STOP,
  CONT;

  /** Sends it; returns whether there was a process. */
  public boolean to(ProcessHandle process) {
    boolean sent =
        Shell.run("kill", "-" + name(), Long.toString(process.pid())).isEmpty()
            && process.isAlive();
    if (!sent && process.isAlive()) {
      throw Failure.of("cannot send SIG%s to process %d".formatted(name(), process.pid()));
    }
    return sent;
  }

  /** Whether a process stands still; told on Linux only. */
  public static boolean isStopped(ProcessHandle process) {
    Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
    try {
      String text = Files.exists(stat) ? Files.readString(stat) : "";
      return text.startsWith(" T ", text.lastIndexOf(')') + 1);
    } catch (IOException e) {
      return false;
    }
  }
}
