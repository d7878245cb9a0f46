package io.deli.lab.fault;

import io.deli.client.BuildOptions;
import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.ExistingRows;
import io.deli.client.ProgressListener;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.tools.files.EntryFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.util.Threads;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;

/** Index DDL on indexes in use: dropped and created again, rebuilt, disabled for a while. */
record IndexFaults(FaultTarget target) {
  private static final int TRIES = 5;
  private static final Duration DISABLED = Duration.ofSeconds(4);

  List<Fault> all() {
    return List.of(
        Fault.of("drop and re-creation of an index", this::recreate),
        Fault.of("rebuild of an index", random -> build(any(random), BuildOptions.DEFAULT)),
        Fault.of("rebuild of an index by files", this::buildByFiles),
        Fault.of("disabled index", this::disable));
  }

  private IndexDefinition any(Random random) {
    return Fault.any(target.redefinable(), random);
  }

  private void recreate(Random random) throws IOException {
    IndexDefinition definition = any(random);
    String index = definition.name();
    DeliAdmin deli = DeliAdmin.of(target.connection());
    again(
        "index %s is gone".formatted(index),
        () -> {
          if (deli.list(target.base()).stream().anyMatch(each -> each.name().equals(index))) {
            deli.dropIndex(target.base(), index);
          }
          deli.createIndex(
              target.base(),
              definition,
              CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.BUILD));
          if (deli.describe(target.base(), index).state() != IndexState.ACTIVE) {
            build(definition, BuildOptions.DEFAULT);
          }
        });
  }

  private void build(IndexDefinition index, BuildOptions options) throws IOException {
    DeliAdmin.of(target.connection())
        .build(target.base(), index.name(), options, ProgressListener.NONE);
  }

  /** Of an index that takes no files it is refused, as of what servers maintain. */
  private void buildByFiles(Random random) throws IOException {
    build(any(random), BuildOptions.DEFAULT.withWriter(new EntryFiles()));
  }

  /** Disables an index and builds it again; writes meanwhile lack entries until then. */
  private void disable(Random random) throws IOException {
    IndexDefinition index = any(random);
    DeliAdmin deli = DeliAdmin.of(target.connection());
    deli.disable(target.base(), index.name());
    try {
      IndexState state = deli.describe(target.base(), index.name()).state();
      Fault.require(
          state == IndexState.DISABLED, "index %s is not disabled".formatted(index.name()));
      Threads.sleepWithoutInterrupt(DISABLED.toMillis());
    } finally {
      again(
          "index %s stays disabled".formatted(index.name()),
          () -> build(index, BuildOptions.DEFAULT));
    }
  }

  /** Does what must succeed in the end, for other faults may get in the way. */
  private static void again(String otherwise, InvocationRaisingIOE step) {
    IOException refused = null;
    for (int i = 0; i < TRIES; i++) {
      try {
        step.apply();
        return;
      } catch (IOException e) {
        refused = e;
      }
    }
    throw new IllegalStateException("%s after %d tries".formatted(otherwise, TRIES), refused);
  }
}
