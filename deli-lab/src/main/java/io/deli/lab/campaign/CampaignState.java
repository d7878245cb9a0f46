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
  private final Path file;

  CampaignState(Path file) {
    this.file = file;
  }

  /** Adds the report of a cell. */
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

  /** Those cells that need not run again: of which the last run was clean. */
  List<Cell> unfinished(List<Cell> cells) throws IOException {
    Map<String, CellReport> last = new LinkedHashMap<>();
    all().forEach(each -> last.put(each.cell(), each));
    return cells.stream()
        .filter(cell -> !last.containsKey(cell.name()) || !last.get(cell.name()).isClean())
        .toList();
  }
}
