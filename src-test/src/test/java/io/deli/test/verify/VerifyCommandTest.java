package io.deli.test.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.client.VerifyOptions;
import io.deli.client.VerifyPosition;
import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli;
import io.deli.test.tools.Cli.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code deli verify}: what it prints, and its exit codes. */
class VerifyCommandTest {
  /** So long ago that no writer is under way. */
  private static final long OLD = 1_000;

  @Test
  void theCommandTellsByItsExitCode() throws IOException {
    Cli deli = new Cli("--zookeeper", MiniCluster.zooKeeper());
    try (VerifiedTable table = VerifiedTable.of(List.of("deferred"))) {
      String name = table.name().getNameAsString();
      table.write("a", "v");
      table.write("b", "v");
      assertThat(deli.run("verify", name, "deferred").code()).isZero();

      Outcome stopped = deli.run("verify", name, "deferred", "--minutes", "0");
      assertThat(stopped.code()).isEqualTo(3);
      Matcher resume = Pattern.compile("(?m)^resume: (\\S+)$").matcher(stopped.out());
      assertThat(resume.find()).as(stopped.out()).isTrue();
      assertThat(resume.group(1)).isEqualTo("BASE:b");
      Outcome resumed = deli.run("verify", name, "deferred", "--resume", resume.group(1));
      assertThat(resumed.out()).contains("versions: 1\nentries: 2\nmissing: 0\n");
      assertThat(resumed.code()).isZero();

      table.putEntries("d", "v", OLD);
      Outcome failedWrite = deli.run("verify", name, "deferred");
      assertThat(failedWrite.out()).contains("dangling: 1\n");
      assertThat(failedWrite.code()).isZero();

      table.writePastDeli("c", "w", OLD);
      Outcome damaged = deli.run("verify", name, "deferred", "--json");
      assertThat(damaged.code()).isEqualTo(5);
      assertThat(damaged.out())
          .contains("\"kind\": \"missing\"", "\"key\": \"c\"", "\"token\": \"w\"")
          .contains("\"missing\": 1", "\"dangling\": 1");
      assertThat(deli.run("verify", name, "deferred", "--before", "c").code()).isZero();
      assertThat(deli.run("verify", name, "deferred", "--repair").out()).contains("written: 1");
      assertThat(deli.run("verify", name, "deferred").code()).isZero();
      assertThat(deli.run("verify", name, "deferred", "--checksum").code()).isZero();
      assertThat(deli.run("verify", name, "deferred", "--resume", "x").code()).isEqualTo(2);
    }
  }

  @Test
  void refusesWhatWouldCompareNothing() {
    Outcome empty = new Cli().run("verify", "t", "i", "--from", "200", "--before", "100");
    assertThat(empty.code()).isEqualTo(2);
    assertThat(empty.err()).contains("no row key is in the range from '200' to before '100'");

    VerifyOptions range = VerifyOptions.DEFAULT.withRange(Bytes.toBytes("b"), Bytes.toBytes("d"));
    assertThatThrownBy(() -> range.withRange(range.from(), range.from()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no row key is in the range");
    for (String outside : List.of("BASE:d", "BASE:a")) {
      assertThatThrownBy(() -> range.withPosition(VerifyPosition.parse(outside)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("position '" + outside + "' is outside of the range");
    }
    for (String inside : List.of("BASE:", "BASE:b", "BASE:c", "INDEX:x")) {
      VerifyPosition position = VerifyPosition.parse(inside);
      assertThat(range.withPosition(position).position()).hasValue(position);
    }
  }

  /** Where a region of the index is offline for longer than the client tries. */
  @Test
  void tellsWhatWasComparedBeforeAFailure(@TempDir Path conf) throws Exception {
    Configuration impatient = MiniCluster.configuration();
    impatient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    impatient.setInt(HConstants.HBASE_CLIENT_PAUSE, 100);
    MiniCluster.writeSite(impatient, conf);
    Cli deli = new Cli("--conf", conf.toString());
    try (VerifiedTable table = VerifiedTable.of(List.of("deferred"));
        Admin admin = MiniCluster.connection().getAdmin()) {
      String name = table.name().getNameAsString();
      table.write("a", "a");
      table.write("b", "a");
      table.write("c", "x");
      table.write("d", "x");
      RegionInfo offline = secondHalf(admin, table.indexOf("deferred").table());
      admin.unassign(offline.getRegionName());

      // By its rate, its pages are of one row.
      Outcome failed = deli.run("verify", name, "deferred", "--rate", "1");

      assertThat(failed.code()).as(failed.err()).isEqualTo(1);
      assertThat(failed.out()).contains("versions: 3\n", "missing: 0\n", "resume: BASE:b\n");
      assertThat(failed.err()).contains("resume: BASE:a\n");

      admin.assign(offline.getRegionName());
      MiniCluster.utility().waitUntilNoRegionsInTransition();
      Outcome resumed = deli.run("verify", name, "deferred", "--resume", "BASE:b");
      assertThat(resumed.out()).contains("versions: 3\nentries: 4\nmissing: 0\n");
      assertThat(resumed.code()).isZero();
    }
  }

  private static RegionInfo secondHalf(Admin admin, TableName table) throws IOException {
    List<RegionInfo> regions = admin.getRegions(table);
    assertThat(regions).hasSize(2);
    return regions.get(1);
  }
}
