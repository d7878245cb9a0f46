package io.deli.tools.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deli.index.ValueType;
import io.deli.tools.Failure;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.csv.CSVFormat;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.junit.jupiter.api.Test;

class LoaderTest {
  private static final RowMapping MAPPING =
      new RowMapping(List.of("id"), "-", ValueType.STRING, Set.of("d"), "d", Map.of(), Set.of());

  private final List<String> calls = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();

  @Test
  void behindAQuoteThatNobodyCloses_linesAreNotTakenForRows() {
    assertThatThrownBy(() -> load("id,name\n1,a\n2\n3,\"b\n4,c\n5,d\n"))
        .isInstanceOf(Failure.class)
        .hasMessageContainingAll(
            "line 4: a quoted value is not closed", "--quote", "the 1 rows before it are loaded");
    assertThat(calls).containsExactly("mutate", "flush");
    assertThat(skipped).containsExactly("line 3: 1 values for 2 columns");
  }

  private void load(String text) throws Exception {
    BufferedMutator out =
        (BufferedMutator)
            Proxy.newProxyInstance(
                LoaderTest.class.getClassLoader(),
                new Class<?>[] {BufferedMutator.class},
                (proxy, method, arguments) -> {
                  calls.add(method.getName());
                  return null;
                });
    ByteArrayInputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    new Loader(MAPPING, false, bad -> skipped.add(bad.report()), rows -> {})
        .load(new DelimitedReader(new Lines(in), CSVFormat.DEFAULT, List.of()), out);
  }
}
