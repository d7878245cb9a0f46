package io.deli.lab.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.JsonSyntaxException;

/** The cells of a campaign that have run, in a file with a line of JSON for each. */
final class CampaignState {
  /** The operations to be checked in a cell and the faults to befall, at least. */
  record CellSize(long operations, int faults) {}

  private final Path file;

  CampaignState(Path file) {
    this.file = file;
  }

  void add(CellReport report) throws IOException {
    String before = Files.exists(file) ? Files.readString(file) : "";
    // A line of which the end is missing stays by itself.
    String separator = before.isEmpty() || before.endsWith("\n") ? "" : "\n";
    Files.writeString(
        file,
        separator + new Gson().toJson(report) + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** All runs, the oldest first; a cell that was interrupted while it was added has not run. */
  List<CellReport> all() throws IOException {
    List<CellReport> all = new ArrayList<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        try {
          CellReport report = new Gson().fromJson(line, CellReport.class);
          if (report != null) {
            all.add(report);
          }
        } catch (JsonSyntaxException e) {
          // Cut off.
        }
      }
    }
    return all;
  }

  /**
   * Returns the size that each cell still lacks, by its clean runs; cells that lack nothing are
   * left out. The order is that of the cells.
   */
  Map<Cell, CellSize> missing(List<Cell> cells, CellSize size) throws IOException {
    List<CellReport> clean = all().stream().filter(CellReport::isClean).toList();
    Map<Cell, CellSize> missing = new LinkedHashMap<>();
    for (Cell cell : cells) {
      long operations = size.operations();
      int faults = size.faults();
      for (CellReport run : clean) {
        if (run.cell().equals(cell.name())) {
          operations -= run.outcomes().checked();
          faults -= run.faultCount();
        }
      }
      if (operations > 0 || faults > 0) {
        missing.put(cell, new CellSize(Math.max(0, operations), Math.max(0, faults)));
      }
    }
    return missing;
  }
}
