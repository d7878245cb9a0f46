/**
 * DELI under YCSB: a binding, and workloads that read by value.
 *
 * <p>YCSB's own operations know a record by its key only. {@link io.deli.ycsb.ValueReads} is what a
 * binding offers beyond them.
 */
package io.deli.ycsb;
