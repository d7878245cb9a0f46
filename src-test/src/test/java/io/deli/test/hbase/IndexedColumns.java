package io.deli.test.hbase;

import io.deli.index.Column;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Which columns of a table get an index: {@code indexed-columns.txt} has a line a family. */
final class IndexedColumns {
  private static final String FILE = "/hbase/indexed-columns.txt";

  /** The qualifiers of families whose name matches. */
  private record Line(String family, List<String> qualifiers) {
    static Line parse(String text) {
      String[] words = text.trim().split("\\s+");
      return new Line(words[0], List.of(words).subList(1, words.length));
    }
  }

  private final List<Line> lines;

  private IndexedColumns(List<Line> lines) {
    this.lines = lines;
  }

  static IndexedColumns read() {
    return new IndexedColumns(lines(FILE).map(Line::parse).toList());
  }

  /** The lines of a resource, without comments and empty ones. */
  static Stream<String> lines(String resource) {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                IndexedColumns.class.getResourceAsStream(resource), StandardCharsets.UTF_8))) {
      return in.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(resource, e);
    }
  }

  /** The columns of each family. */
  List<List<Column>> byFamily(TableDescriptor table) {
    return Arrays.stream(table.getColumnFamilies())
        .filter(family -> !family.isMobEnabled())
        .map(this::of)
        .filter(columns -> !columns.isEmpty())
        .toList();
  }

  private List<Column> of(ColumnFamilyDescriptor family) {
    return lines.stream()
        .filter(line -> family.getNameAsString().matches(line.family()))
        .findFirst()
        .map(Line::qualifiers)
        .orElse(List.of())
        .stream()
        .map(qualifier -> Column.of(family.getName(), bytes(qualifier)))
        .toList();
  }

  private static byte[] bytes(String qualifier) {
    return qualifier.equals("-") ? new byte[0] : Bytes.toBytesBinary(qualifier);
  }
}
