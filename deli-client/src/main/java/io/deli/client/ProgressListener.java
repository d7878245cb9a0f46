package io.deli.client;

/** Hears how far a long operation is; called from the thread that runs it. */
@FunctionalInterface
public interface ProgressListener {
  /** Listens to nothing. */
  ProgressListener NONE = (stage, done, total) -> {};

  /**
   * Called now and then, with {@code done <= total} and {@code total} 0 while unknown.
   *
   * @param stage what is going on, for a person
   */
  void progress(String stage, long done, long total);

  /**
   * Called now and then by an operation that can go on where it ended: from where it could if it
   * were killed now.
   *
   * @param position the text form of what the operation's options take
   */
  default void resumable(String position) {}
}
