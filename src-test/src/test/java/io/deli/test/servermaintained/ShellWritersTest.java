package io.deli.test.servermaintained;

import static io.deli.test.servermaintained.ServedTable.BY_Q;
import static io.deli.test.servermaintained.ServedTable.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.ProgressListener;
import io.deli.config.DeliSettings;
import io.deli.index.IndexDefinition;
import io.deli.test.cluster.MiniCluster;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HBase's own shell, unmodified, with and without the setting that names DELI's connection. */
class ShellWritersTest {
  private static final int VERSIONS = 3;

  /** What is current after {@code writes.rb}, in order. */
  private static final List<String> CURRENT =
      List.of(
          "appended=v1",
          "exact=v1",
          "familyVersion=v1",
          "incremented=v1",
          "latest=v1",
          "living=v1",
          "object=v1",
          "older=v2",
          "put=v2",
          "stamped=v1");

  @TempDir private Path directory;

  @Test
  void regionServersIndexWhatAPlainShellWrites() throws Exception {
    List<String> expected = new ArrayList<>(CURRENT);
    expected.replaceAll(each -> each.equals("put=v2") ? "put=v2x" : each);
    assertThat(indexesWhatTheShellWrites(BY_Q, expected, "")).contains("Field is not a long");
  }

  @Test
  void aShellWithTheSettingIndexesWhatItWrites() throws Exception {
    String printed =
        indexesWhatTheShellWrites(
            IndexDefinition.on(BY_Q.name(), BY_Q.column()),
            CURRENT,
            script("indexes.rb"),
            "-Dhbase.client.connection.impl=" + DeliConnection.class.getName(),
            // Who drops an index waits for it.
            "-D" + DeliSettings.DEFINITIONS_LEASE.key() + "=500");
    assertThat(printed)
        .containsPattern("REFUSED .*" + refusal("Append"))
        .containsPattern("exception: .*" + refusal("Increment"))
        .containsSubsequence(
            "by_n f:n INT deferred CLIENT ACTIVE",
            "timestamp=7, value=12, f:n=\\x00\\x00\\x00\\x0C",
            "FOUND 1",
            "REFUSED unknown option LIMITS: deli_query takes EQUAL, PREFIX",
            "entries",
            "LEFT []");
  }

  private String indexesWhatTheShellWrites(
      IndexDefinition definition, List<String> expected, String before, String... options)
      throws Exception {
    TableName name = MiniCluster.uniqueTable("shell");
    ServedTable table =
        ServedTable.create(
            MiniCluster.connection(), name, definition, VERSIONS, Bytes.toBytes("m"));
    MiniCluster.writeSite(MiniCluster.configuration(), directory);
    HBaseShell.Outcome outcome =
        HBaseShell.run(directory, "T = '" + name + "'\n" + before + script("writes.rb"), options);
    String printed = outcome.printed();
    assertThat(current(table.assertRight(1))).as(printed).isEqualTo(expected);
    assertThat(printed).contains(expected.size() + " row(s)");
    assertThat(outcome.code()).as(printed).isEqualTo(1);
    table.assertRight(VERSIONS);
    DeliAdmin.of(table.plain()).collect(name, ProgressListener.NONE);
    assertThat(new TreeSet<>(table.held())).isEqualTo(table.base(VERSIONS));
    assertThat(current(table.assertRight(1))).isEqualTo(expected);
    return printed;
  }

  private static String refusal(String operation) {
    return operation + " on column f:q, whose value the client that maintains index 'by_q'";
  }

  private static String script(String name) throws IOException {
    try (InputStream script = ShellWritersTest.class.getResourceAsStream("/hbase-shell/" + name)) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
