/**
 * Posting lists in fragments that compactions of the index table merge (LevelDB++, section 4.1.2).
 *
 * <p>The paper's lookup goes from level to level, and stops at the level with the K-th hit. HBase's
 * files are no levels, but a scan merges them, and the place of a fragment begins with its time: a
 * lookup reads the row from its newest fragment on, and stops as early.
 */
package io.deli.strategy.lazy;
