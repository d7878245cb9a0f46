package io.deli.lab.bench;

import io.deli.client.DeliConnection;
import io.deli.lab.measure.Figure;
import io.deli.lab.measure.MajorCompaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;

/** Times major compactions of three files without garbage, and of three versions of each row. */
final class CompactionBench {
  private static final int FILES = 3;

  private final Connection plain;
  private final DeliConnection deli;
  private final Scale scale;
  private final Consumer<String> log;

  CompactionBench(Connection plain, DeliConnection deli, Scale scale, Consumer<String> log) {
    this.plain = plain;
    this.deli = deli;
    this.scale = scale;
    this.log = log;
  }

  List<Figure> run() throws IOException {
    List<Figure> figures = new ArrayList<>();
    figures.addAll(measure("compaction, no garbage", false));
    figures.addAll(measure("compaction, two thirds garbage", true));
    return figures;
  }

  private List<Figure> measure(String experiment, boolean garbage) throws IOException {
    log.accept(experiment);
    List<Arm> arms = List.of(PlainArm.unindexed(plain), new DeferredArm(deli));
    BenchTables tables = new BenchTables(plain, scale);
    List<Figure> figures =
        Figures.measured(
            experiment,
            "s",
            arms,
            scale,
            arm -> {
              tables.create();
              TableName table = arm instanceof PlainArm ? BenchTables.PLAIN : BenchTables.DEFERRED;
              fill(arm, table, garbage);
              return MajorCompaction.seconds(plain, table);
            });
    tables.drop();
    return figures;
  }

  private void fill(Arm arm, TableName table, boolean garbage) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      for (int file = 0; file < FILES; file++) {
        int generation = file;
        if (garbage) {
          Load.fill(arm, scale.keys(), key -> (key + generation) % scale.values());
        } else {
          Load.fill(new Third(arm, file), scale.keys(), key -> key % scale.values());
        }
        admin.flush(table);
      }
    }
  }

  /** Writes every third key only, so that the files hold different rows. */
  private record Third(Arm arm, int part) implements Arm {
    @Override
    public String name() {
      return arm.name();
    }

    @Override
    public Session open() throws IOException {
      Session whole = arm.open();
      return new Session() {
        @Override
        public void write(List<Put> puts) throws IOException {
          whole.write(
              puts.stream()
                  .filter(put -> put.getRow()[put.getRow().length - 1] % FILES == part)
                  .toList());
        }

        @Override
        public int lookup(byte[] value) throws IOException {
          return whole.lookup(value);
        }

        @Override
        public void close() throws IOException {
          whole.close();
        }
      };
    }
  }
}
