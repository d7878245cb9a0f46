package io.deli.tools.experiment;

import io.deli.tools.Session;
import io.deli.tools.output.Progress;
import io.deli.tools.output.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Runs experiments one after the other and writes their reports.
 *
 * @param out directory in which each experiment gets one of its own name
 */
public record Campaign(Site site, Lab.Effort effort, Path out, Terminal terminal) {
  /**
   * Runs one experiment, as far as its measurements are not there already.
   *
   * @param anew whether to drop those that are
   */
  public Report run(Experiment experiment, boolean anew) throws IOException {
    Path directory = out.resolve(experiment.name());
    terminal.say(experiment.name() + ": " + experiment.sentence());
    Session session = site.session(experiment.server(effort.size()));
    try (Connections connections = Connections.open(session.connection().getConfiguration());
        Progress progress = new Progress(terminal)) {
      Map<String, String> circumstances = circumstances(experiment, session.connection());
      if (anew) {
        Journal.forget(directory);
      }
      Journal journal = Journal.open(directory, circumstances);
      experiment.run(new Lab(connections, site.files(), effort, journal, progress));
      Report report =
          new Report(
              experiment,
              circumstances,
              LocalDate.now(ZoneOffset.UTC).toString(),
              journal.results());
      report.write(directory);
      return report;
    }
  }

  private Map<String, String> circumstances(Experiment experiment, Connection connection)
      throws IOException {
    Map<String, String> all = new TreeMap<>(Environment.of(connection));
    all.put("scale", effort.size().name().toLowerCase(Locale.ROOT));
    all.put("server", site.description(experiment.server(effort.size())));
    experiment
        .parameters(effort.size())
        .forEach((parameter, value) -> all.put("parameter " + parameter, value));
    return all;
  }
}
