package io.deli.test.cluster;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a {@link OperatedCluster} as a parameter: started for the first that asks, shared by
 * all, stopped after the last.
 */
public final class ProcessClusterExtension implements ParameterResolver {
  private static final Namespace OWN = Namespace.create(ProcessClusterExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == OperatedCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(OWN)
        .getOrComputeIfAbsent(OperatedCluster.class, key -> start(), OperatedCluster.class);
  }

  private static OperatedCluster start() {
    try {
      return new OperatedCluster();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ParameterResolutionException("interrupted while the cluster started", e);
    } catch (Exception e) {
      throw new ParameterResolutionException("the cluster of processes did not start", e);
    }
  }
}
