/**
 * DELI's own strategy: append on write, verify on read, collect when the base table compacts.
 *
 * <p>DELI paper, Algorithm 1 (write), 2 (lookup) and 3 with section V (rewrite). The engine departs
 * from the paper's pseudo-code where that loses data or leaves garbage; {@code
 * docs/architecture.md} says where and why.
 */
package io.deli.strategy.deferred;
