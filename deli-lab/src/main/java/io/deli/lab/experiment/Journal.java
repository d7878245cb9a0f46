package io.deli.lab.experiment;

import io.deli.lab.experiment.Results.Measurement;
import io.deli.tools.Failure;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;

/**
 * The measurements of an experiment, in a file that each trial is added to as it ends: all of its
 * measurements or, if the run is cut off, none.
 *
 * <p>Beside it lies what they depend on: parameters, machine and versions. Measurements under other
 * circumstances are never mixed with them.
 */
public record Journal(Path file, List<Measurement> measurements) {
  private static final String MEASUREMENTS = "measurements.csv";
  private static final String CIRCUMSTANCES = "circumstances.txt";
  private static final String[] COLUMNS = {
    "stage", "round", "arm", "measure", "x", "unit", "value"
  };

  /** Opens the journal of a directory; fails if it is of other circumstances, naming one. */
  public static Journal open(Path directory, Map<String, String> circumstances) throws IOException {
    Files.createDirectories(directory);
    Path file = directory.resolve(MEASUREMENTS);
    Path noted = directory.resolve(CIRCUMSTANCES);
    List<String> now =
        new TreeMap<>(circumstances)
            .entrySet().stream().map(e -> e.getKey() + ": " + e.getValue()).toList();
    if (Files.exists(file)) {
      requireSame(directory, Files.exists(noted) ? Files.readAllLines(noted) : List.of(), now);
      return new Journal(file, read(file));
    }
    Files.write(noted, now);
    Files.writeString(file, String.join(",", COLUMNS) + "\n");
    return new Journal(file, new ArrayList<>());
  }

  private static void requireSame(Path directory, List<String> then, List<String> now) {
    if (then.equals(now)) {
      return;
    }
    String was = then.stream().filter(line -> !now.contains(line)).findFirst().orElse("not noted");
    String is = now.stream().filter(line -> !then.contains(line)).findFirst().orElse("not given");
    throw Failure.usage(
        "%s has measurements under other circumstances (then %s; now %s): choose another --out, or drop them with --anew"
            .formatted(directory, was, is));
  }

  public static void forget(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(MEASUREMENTS));
    Files.deleteIfExists(directory.resolve(CIRCUMSTANCES));
  }

  private static List<Measurement> read(Path file) throws IOException {
    CSVFormat format = CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get();
    try (Reader in = Files.newBufferedReader(file)) {
      List<Measurement> all = new ArrayList<>();
      for (CSVRecord line : format.parse(in)) {
        all.add(
            new Measurement(
                line.get("stage"),
                Integer.parseInt(line.get("round")),
                line.get("arm"),
                line.get("measure"),
                line.get("x"),
                line.get("unit"),
                Double.parseDouble(line.get("value"))));
      }
      return all;
    }
  }

  public boolean has(String stage, int round, String arm) {
    return measurements.stream()
        .anyMatch(m -> m.stage().equals(stage) && m.round() == round && m.arm().equals(arm));
  }

  public void add(List<Measurement> trial) throws IOException {
    StringWriter lines = new StringWriter();
    try (CSVPrinter csv =
        new CSVPrinter(lines, CSVFormat.RFC4180.builder().setRecordSeparator('\n').get())) {
      for (Measurement m : trial) {
        csv.printRecord(m.stage(), m.round(), m.arm(), m.measure(), m.x(), m.unit(), m.value());
      }
    }
    Path next = file.resolveSibling(MEASUREMENTS + ".next");
    Files.writeString(next, Files.readString(file) + lines);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    measurements.addAll(trial);
  }

  public Results results() {
    return new Results(measurements);
  }
}
