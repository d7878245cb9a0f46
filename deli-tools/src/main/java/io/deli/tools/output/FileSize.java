package io.deli.tools.output;

/**
 * The size of store files as region servers report it, in whole megabytes: at least one for each
 * region that has files.
 *
 * @param bytes a multiple of a megabyte
 */
public record FileSize(long bytes) {
  /** Tells a person what such sizes are of. */
  public static final String NOTE =
      "of store files, as region servers report them in whole megabytes, at least one for a region"
          + " that has files; memory is not counted";

  @Override
  public String toString() {
    return (bytes >> 20) + " MB";
  }
}
