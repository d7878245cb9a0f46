/**
 * The embedded index (<em>A Comparative Study of Secondary Indexing Techniques in LSM-based NoSQL
 * Databases</em>, section 3, and <em>Efficient Secondary Attribute Lookup in Key-Value Stores</em>,
 * section 3): no table, no entries and no cost of a write; each block of the base table's files has
 * a Bloom filter and the bounds of its tokens, and a lookup reads the blocks that may match. To
 * client and base table it is a scan whose region servers leave out rows; how they find out which
 * is theirs.
 */
package io.deli.strategy.embedded;
