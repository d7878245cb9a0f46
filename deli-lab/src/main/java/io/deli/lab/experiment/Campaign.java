package io.deli.lab.experiment;

import io.deli.tools.Session;
import io.deli.tools.output.Progress;
import io.deli.tools.output.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Connection;

/** Runs experiments one after the other and writes their reports, a directory for each. */
public record Campaign(
    Site site, Optional<ColdDisk> cold, Lab.Effort effort, Path out, Terminal terminal) {
  private static final String LEFT_ALONE = "left alone; it may have all files in memory";
  private static final String NO_DATABASE =
      "NONE: the arm of the database is left out, for neither was one named (--jdbc) nor is MariaDB"
          + " installed";

  /** Runs one experiment, as far as its measurements are not there already or are made anew. */
  public Report run(Experiment experiment, boolean anew) throws IOException {
    Path directory = out.resolve(experiment.name());
    terminal.say(experiment.name() + ": " + experiment.sentence());
    Optional<Database> database =
        experiment.comparesDatabase() ? site.database() : Optional.empty();
    Session session = site.session(experiment.server());
    Map<String, String> circumstances = circumstances(experiment, session.connection(), database);
    if (anew) {
      Journal.forget(directory);
    }
    Journal journal = Journal.open(directory, circumstances);
    try (Progress progress = new Progress(terminal);
        Lab lab =
            new Lab(
                session.connection().getConfiguration(),
                site.premises(),
                database,
                cold.filter(disk -> experiment.isBeyondCache()),
                effort,
                journal,
                progress)) {
      new Interpreter(experiment, lab).run();
    }
    String today = LocalDate.now(ZoneOffset.UTC).toString();
    Report report = new Report(experiment, circumstances, today, journal.results());
    report.write(directory);
    return report;
  }

  private Map<String, String> circumstances(
      Experiment experiment, Connection connection, Optional<Database> database)
      throws IOException {
    Map<String, String> all = new TreeMap<>(Environment.of(connection));
    all.put("scale", effort.size().name().toLowerCase(Locale.ROOT));
    all.put("server", site.description(experiment.server()));
    if (experiment.isBeyondCache()) {
      all.put("operating system's cache", cold.map(ColdDisk::description).orElse(LEFT_ALONE));
    }
    if (experiment.comparesDatabase()) {
      all.put("database", database.isPresent() ? database.get().description() : NO_DATABASE);
      if (database.isEmpty()) {
        terminal.say("database: " + NO_DATABASE);
      }
    }
    experiment.parameters().forEach((parameter, value) -> all.put("parameter " + parameter, value));
    return all;
  }
}
