package io.deli.fileindex.internal.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deli.fileindex.internal.blocks.Blocks.Part;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class BlocksTest {
  private static final String ROWS = "abcdefghi";

  @Test
  void aRangeHasTheBlocksThatItsRowsAreIn() {
    for (String firstRows : List.of("b", "bd", "bdf", "bdfh")) {
      List<Part> parts = new ArrayList<>();
      firstRows.chars().forEach(row -> parts.add(new Part(row(row), 1)));
      Blocks blocks = new Blocks(parts);
      for (int start = 0; start < ROWS.length(); start++) {
        for (int end = start + 1; end <= ROWS.length(); end++) {
          byte[] stop = end == ROWS.length() ? new byte[0] : row(ROWS.charAt(end));
          assertThat(blocks.countWithin(row(ROWS.charAt(start)), stop))
              .as("%s of %s", ROWS.substring(start, end), firstRows)
              .isEqualTo(blocksOf(ROWS.substring(start, end), blocks));
        }
      }
    }
  }

  private static int blocksOf(String rows, Blocks blocks) {
    Set<Integer> found = new HashSet<>();
    // What lies before the first block's rows is not in the file.
    rows.chars().filter(row -> row >= 'b').forEach(row -> found.add(blocks.blockOf(row(row))));
    return found.size();
  }

  private static byte[] row(int letter) {
    return Bytes.toBytes(Character.toString(letter));
  }
}
