/**
 * Index entries and their bytes; this page is the format's specification.
 *
 * <p>An entry says that base row {@code key} got a value with token {@code token} at {@code
 * timestamp}. It is one cell of the index table:
 *
 * <pre>
 *   row        BY_KEY    [salt] token key
 *              BY_TIME   [salt] token inverted(timestamp) key
 *   family     "e"
 *   qualifier  write id: empty, or 16 bytes
 *   timestamp  the base version's timestamp
 *   value      empty
 * </pre>
 *
 * <ul>
 *   <li>{@code salt} is there if the definition has option {@code buckets}, a number N from 2 to
 *       256: one byte, the bucket of the key. With {@code h} = {@code Arrays.hashCode(key)} times
 *       {@code 9E3779B9} modulo 2<sup>32</sup>, unsigned, it is {@code h} times N, divided by
 *       2<sup>32</sup>, and rounded down. So all entries of a base row are in one bucket, and those
 *       of any range of tokens in all.
 *   <li>{@code token} is the token with {@code FF} put behind each {@code 00}, then {@code 00 00}.
 *       It takes any bytes, none included, keeps their unsigned order, and ends itself, so that
 *       tokens {@code v1} and {@code v10} do not mix whatever keys follow them. The token of an
 *       index on several columns is made of theirs in the same way, the last of which stays as it
 *       is; that of a descending column ends itself wherever it is, and has its bits inverted.
 *   <li>{@code inverted} is {@code Long.MAX_VALUE - timestamp}, eight bytes, big endian: newest
 *       first.
 *   <li>{@code key} is the base row key as it is, up to the end of the row.
 *   <li>A row is at most 32,200 bytes: HBase's limit of 32,767, less what the name of a region adds
 *       to its first row.
 * </ul>
 *
 * <p>All versions are kept until deleted one by one: a delete is a {@code DeleteColumn}-version
 * marker for exactly (row, qualifier, timestamp).
 *
 * <p><b>Write id.</b> A timestamp that the client's {@code TimestampOracle} drew names one write. A
 * timestamp that the <em>application</em> gave may come again: after a delete the same value can be
 * put at the same key and timestamp, and a delete of the old entry, still on its way, would take
 * the new one along, or its tombstone would mask it. Entries of such writes, and of conditional
 * ones, therefore carry an id of their own in the qualifier: eight bytes of the writer's clock in
 * milliseconds, big endian, then eight random bytes. The base mutation carries the same id as
 * attribute {@code deli.w}; the coprocessor keeps it with the cell as a tag of type 68, and garbage
 * collection deletes the entry of exactly that write. A version that the coprocessor puts again
 * with an id of its own, since a delete exposes it, has a second tag, of type 69: its timestamp,
 * eight bytes, big endian. Replication peers do without it.
 */
package io.deli.entry;
