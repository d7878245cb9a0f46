package io.deli.tools.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** Makes the demo's rows. */
final class Airports {
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

  private Airports() {}

  /** Made-up airfields around real cities; the same on every run. */
  static List<Airport> generated() {
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
    try (CSVParser cities =
        CSVParser.parse(
            Airports.class.getResourceAsStream("cities.csv"),
            StandardCharsets.UTF_8,
            CSVFormat.DEFAULT.builder().setHeader().get())) {
      return cities.stream().map(CSVRecord::toMap).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
