package io.deli.lab.experiment;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** One experiment of a paper, or several that share their data. Stateless. */
public interface Experiment {
  /** What it is called on the command line. */
  String name();

  /** What it shows, in one sentence. */
  String sentence();

  /** What the papers say. */
  List<Claim> claims();

  /** The HBase that it wants if it gets one of its own. */
  ServerNeeds server(Size size);

  /** Whether its data is more than the servers' cache holds, in which case it is to be read. */
  default boolean isBeyondCache() {
    return false;
  }

  /** Whether a relational database is one of its arms, if there is one. */
  default boolean comparesDatabase() {
    return false;
  }

  /** The names of its arms. */
  List<String> arms(Size size);

  /** All that its figures depend on, beyond rounds and warm-ups. */
  Map<String, String> parameters(Size size);

  /** Measures; leaves no table behind. */
  void run(Lab lab) throws IOException;

  /** The plots of its measures. */
  List<Plot> plots();

  /** Whether what the papers say holds here. */
  List<Check> checks(Results results);
}
