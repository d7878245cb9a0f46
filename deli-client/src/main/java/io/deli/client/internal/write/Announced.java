package io.deli.client.internal.write;

import io.deli.client.internal.Failures;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Which plans of a batch have their entries in the indexes, and why others have not. */
final class Announced {
  private final AtomicReferenceArray<List<IndexedVersion>> versions;
  private final AtomicReferenceArray<Throwable> failures;

  Announced(int plans) {
    versions = new AtomicReferenceArray<>(plans);
    failures = new AtomicReferenceArray<>(plans);
  }

  void done(int plan, List<IndexedVersion> announced) {
    versions.set(plan, announced);
  }

  void failed(int plan, Throwable error) {
    failures.set(plan, Failures.plain(error));
  }

  Void settle(int plan, List<IndexedVersion> announced, Throwable error) {
    if (error == null) {
      done(plan, announced);
    } else {
      failed(plan, error);
    }
    return null;
  }

  List<IndexedVersion> versions(int plan) {
    return versions.get(plan);
  }

  /** Why the plan cannot be carried out, or null. */
  Throwable failure(int plan) {
    return failures.get(plan);
  }
}
