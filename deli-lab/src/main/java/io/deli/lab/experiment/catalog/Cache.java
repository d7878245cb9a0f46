package io.deli.lab.experiment.catalog;

import io.deli.lab.experiment.Check;
import io.deli.lab.experiment.ServerNeeds;
import io.deli.lab.experiment.Size;
import java.util.List;

/**
 * How much of the rows the servers' block cache holds: an experiment of each kind is in the
 * catalog.
 */
enum Cache {
  /** All of them. */
  HOLDS_ALL("", "all rows are in the block cache"),
  /** A small part of them; they are in many files, as the papers' are. */
  HOLDS_LITTLE(
      "-beyond-cache", "the block cache holds a part of the rows, which are in many files");

  /** The parameter that tells what happens ahead of each measurement. */
  static final String BEFORE_EACH = "before each measurement";

  static final String RESTORED =
      "the tables have their first files again, the memory of the servers is empty, and nothing is"
          + " flushed or compacted";

  private final String suffix;
  private final String sentence;

  Cache(String suffix, String sentence) {
    this.suffix = suffix;
    this.sentence = sentence;
  }

  /** The name of an experiment with this cache. */
  String name(String experiment) {
    return experiment + suffix;
  }

  /** What an experiment shows with this cache. */
  String sentence(String shows) {
    return "%s; %s.".formatted(shows, sentence);
  }

  /** In how many files the rows are at first, each in one. */
  int files(Size size) {
    return this == HOLDS_ALL ? 1 : size.pick(2, 8, 8);
  }

  /** A store whose files stay as many, if they are to be. */
  Store arrange(Store store) {
    return this == HOLDS_LITTLE ? store.keepingFiles() : store;
  }

  ServerNeeds server(Size size) {
    return this == HOLDS_ALL
        ? ServerNeeds.heap(size.pick(512, 1024, 2048)).withBlockCache(size.pick(128, 384, 800))
        : Pairs.server(size);
  }

  /**
   * Whether DELI is ahead by what the paper found, and by what it aims at: with rows beyond the
   * cache, as the paper's were, that is the same.
   */
  List<Check> ahead(String what, double found, double paper, double inMemory) {
    return this == HOLDS_ALL
        ? List.of(
            Check.atLeast(what, found, paper), Check.atLeast(what + " (aim)", found, inMemory))
        : List.of(Check.atLeast(what + " (and aim)", found, paper));
  }
}
