package io.deli.tools.demo;

import io.deli.tools.Failure;
import io.deli.tools.Failures;
import io.deli.tools.load.DelimitedReader;
import io.deli.tools.load.RecordReader.BadLineException;
import io.deli.tools.load.RecordReader.InputRecord;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;

/** Makes or reads the demo's rows. */
public final class Airports {
  private static final List<String> SITES =
      List.of("", "North ", "South ", "East ", "West ", "Lake ", "Old ");
  private static final List<String> KINDS =
      List.of(
          "International Airport",
          "Regional Airport",
          "Airfield",
          "Heliport",
          "Air Base",
          "Gliding Field");
  private static final List<String> OPENFLIGHTS =
      List.of(
          "id", "name", "city", "country", "-", "-", "-", "-", "altitude", "-", "-", "-", "-", "-");

  private Airports() {}

  /** Made-up airfields around real cities; the same on every run. */
  public static List<Airport> generated() {
    List<Airport> all = new ArrayList<>();
    for (Map<String, String> city : cities()) {
      for (String site : SITES) {
        for (String kind : KINDS) {
          String id = String.format("%05d", all.size() + 1);
          long altitude = Long.parseLong(city.get("altitude")) + Math.floorMod(id.hashCode(), 307);
          all.add(
              new Airport(
                  id,
                  city.get("city") + " " + site + kind,
                  city.get("city"),
                  city.get("country"),
                  altitude,
                  "open"));
        }
      }
    }
    return all;
  }

  private static List<Map<String, String>> cities() {
    try (InputStream in = Airports.class.getResourceAsStream("cities.csv")) {
      return records(new DelimitedReader(in, CSVFormat.DEFAULT, List.of()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (BadLineException e) {
      throw new IllegalStateException(e.report(), e);
    }
  }

  /**
   * The airports of OpenFlights' {@code airports.dat}.
   *
   * @throws Failure if the file cannot be read or is something else
   */
  public static List<Airport> read(Path file) {
    CSVFormat format = CSVFormat.DEFAULT.builder().setEscape('\\').setNullString("\\N").get();
    try (InputStream in = Files.newInputStream(file)) {
      return records(new DelimitedReader(in, format, OPENFLIGHTS)).stream()
          .map(
              row ->
                  new Airport(
                      row.get("id"),
                      text(row.get("name")),
                      text(row.get("city")),
                      text(row.get("country")),
                      Long.parseLong(row.get("altitude")),
                      "open"))
          .toList();
    } catch (BadLineException e) {
      throw Failure.of(file + ", " + e.report() + ": give OpenFlights' airports.dat");
    } catch (NumberFormatException e) {
      throw Failure.of(file + ": an altitude is no number: give OpenFlights' airports.dat");
    } catch (IOException e) {
      throw Failure.usage("cannot read " + file + ": " + Failures.reason(e));
    }
  }

  private static List<Map<String, String>> records(DelimitedReader reader)
      throws IOException, BadLineException {
    List<Map<String, String>> all = new ArrayList<>();
    Optional<InputRecord> next = reader.next();
    while (next.isPresent()) {
      all.add(next.get().fields());
      next = reader.next();
    }
    return all;
  }

  private static String text(String value) {
    return value == null ? "" : value;
  }
}
