package io.deli.lab.command;

import io.deli.client.DeliConnection;
import io.deli.lab.bench.BenchReport;
import io.deli.lab.bench.Benchmark;
import io.deli.lab.bench.Scale;
import io.deli.lab.measure.Figure;
import io.deli.tools.RootCommand;
import io.deli.tools.Session;
import io.deli.tools.output.Format;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code lab bench}. */
@Command(
    name = "bench",
    description = {
      "Measure what an index costs, against plain HBase in the same run.",
      "Creates tables named deli_bench_* and drops them."
    })
public final class BenchCommand implements Callable<Integer> {
  /** What there is to measure. */
  enum Part {
    WRITES,
    LOOKUPS,
    COMPACTIONS
  }

  @ParentCommand private RootCommand deli;

  @Parameters(
      arity = "0..*",
      paramLabel = "PART",
      description = "${COMPLETION-CANDIDATES}; all by default.")
  private List<Part> parts = List.of();

  @Option(
      names = "--keys",
      defaultValue = "100000",
      description = "Rows in each table; default ${DEFAULT-VALUE}.")
  private int keys;

  @Option(
      names = "--warmups",
      defaultValue = "3",
      description = "Rounds ahead that are not reported; default ${DEFAULT-VALUE}.")
  private int warmups;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      description = "Interleaved rounds; default ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--seconds",
      defaultValue = "4",
      description = "Length of one measurement; default ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--threads",
      split = ",",
      defaultValue = "1,8,64",
      description = "Of writers, one measurement each; default ${DEFAULT-VALUE}.")
  private List<Integer> threads;

  @Override
  public Integer call() throws IOException {
    Set<Part> wanted = parts.isEmpty() ? EnumSet.allOf(Part.class) : EnumSet.copyOf(parts);
    List<Figure> figures = new ArrayList<>();
    try (Session session = deli.open();
        Connection under =
            ConnectionFactory.createConnection(session.connection().getConfiguration());
        DeliConnection indexed = DeliConnection.wrap(under)) {
      Benchmark benchmark =
          new Benchmark(
              session.connection(), indexed, new Scale(keys, warmups, rounds, seconds), this::say);
      for (Part part : wanted) {
        figures.addAll(
            switch (part) {
              case WRITES -> benchmark.writes(threads);
              case LOOKUPS -> benchmark.lookups();
              case COMPACTIONS -> benchmark.compactions();
            });
      }
    }
    if (deli.format(Format.TABLE) == Format.JSON) {
      deli.terminal().print(new Gson().toJson(figures));
    } else {
      BenchReport.markdown(figures).forEach(deli.terminal()::print);
    }
    return 0;
  }

  private void say(String line) {
    deli.terminal().say(line);
  }
}
