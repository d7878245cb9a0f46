package io.deli.test.tools;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli.Outcome;
import io.deli.tools.output.Format;
import java.io.IOException;
import java.io.OutputStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A query whose output nobody reads any more, as behind {@code | head}, ends early. */
class ClosedOutputTest {
  private static final int ROWS = 5_000;

  private static Cli deli;
  private static String table;

  /** A pipe whose reader ends; counts what is written all the same. */
  private static final class ClosedPipe extends OutputStream {
    private static final int TAKEN = 8 << 10;

    private int written;

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      written += length;
      if (written > TAKEN) {
        throw new IOException("Broken pipe");
      }
    }
  }

  @BeforeAll
  static void load() {
    deli = new Cli("--zookeeper", MiniCluster.zooKeeper());
    table = MiniCluster.uniqueTable("closed").getNameAsString();
    assertThat(deli.run("create-table", table, "d").code()).isZero();
    assertThat(deli.run("create-index", table, "by_a", "d:a").code()).isZero();
    String rows =
        IntStream.range(0, ROWS).mapToObj(i -> "%05d,v".formatted(i)).collect(joining("\n"));
    assertThat(deli.runWith("id,a\n" + rows, "load", table, "--key", "id").code()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void endsAQuery(Format format) {
    String[] query = {"query", table, "by_a", "--equal", "v", "--format", format.name()};
    int all = deli.run(query).out().length();
    ClosedPipe pipe = new ClosedPipe();

    Outcome outcome = deli.runInto(pipe, query);

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err()).contains("output is lost");
    assertThat(pipe.written).isLessThan(all / 4);
  }
}
