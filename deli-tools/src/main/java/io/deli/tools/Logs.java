package io.deli.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.log4j.ConsoleAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.RollingFileAppender;

/** Sends HBase's log nowhere, to the terminal, or to a file. */
public final class Logs {
  private static final String LAYOUT = "%d{ISO8601} %-5p [%t] %c{2}: %m%n";

  private Logs() {}

  /** Drops everything: a command reports its own errors. */
  static void quiet() {
    Logger.getRootLogger().removeAllAppenders();
    Logger.getRootLogger().setLevel(Level.OFF);
  }

  /** Shows warnings on the error stream. */
  static void verbose() {
    ConsoleAppender console = new ConsoleAppender(new PatternLayout(LAYOUT), "System.err");
    console.setThreshold(Level.WARN);
    Logger.getRootLogger().addAppender(console);
    Logger.getRootLogger().setLevel(Level.WARN);
  }

  /** Also writes what an embedded server has to say to a file. */
  static void toFile(Path file) {
    try {
      Files.createDirectories(file.getParent());
      RollingFileAppender appender =
          new RollingFileAppender(new PatternLayout(LAYOUT), file.toString(), true);
      appender.setMaxFileSize("10MB");
      appender.setMaxBackupIndex(3);
      Logger.getRootLogger().addAppender(appender);
      Logger.getRootLogger().setLevel(Level.INFO);
    } catch (IOException e) {
      throw new Failure(
          ExitCode.UNAVAILABLE,
          "cannot write the log: %s: choose another directory with --data"
              .formatted(Failures.reason(e)),
          e);
    }
  }
}
