package io.deli.tools.output;

/**
 * The size of store files as region servers report it, which count whole megabytes: less is 0.
 *
 * @param bytes a multiple of a megabyte
 */
public record FileSize(long bytes) {
  /** Tells a person what such sizes are of. */
  public static final String NOTE =
      "of store files, as region servers report them in whole megabytes; memory is not counted";

  @Override
  public String toString() {
    return bytes == 0 ? "< 1 MB" : (bytes >> 20) + " MB";
  }
}
