package io.deli.test.hbase;

import java.util.List;
import java.util.Optional;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Keeps the tests named in {@code left-out.txt} from running, and says so; JUnit finds it as a
 * service. Outside runs of HBase's tests it does nothing.
 */
public final class LeftOutFilter implements PostDiscoveryFilter {
  private final Optional<String> way = Optional.ofNullable(System.getProperty("deli.hbase.way"));
  private final List<LeftOut> leftOut = way.isPresent() ? LeftOut.read() : List.of();

  @Override
  public FilterResult apply(TestDescriptor test) {
    Optional<LeftOut> found =
        test.getSource()
            .filter(MethodSource.class::isInstance)
            .map(MethodSource.class::cast)
            .flatMap(this::find);
    found.ifPresent(
        entry -> System.out.println("LEFT OUT " + test.getDisplayName() + ": " + entry.reason()));
    return FilterResult.includedIf(found.isEmpty());
  }

  private Optional<LeftOut> find(MethodSource source) {
    String name = source.getClassName();
    String simpleName = name.substring(name.lastIndexOf('.') + 1);
    return leftOut.stream()
        .filter(entry -> entry.concerns(way.orElseThrow(), simpleName, source.getMethodName()))
        .findFirst();
  }
}
