/** Lookups that scan the base table, as several strategies have them. */
package io.deli.strategy.scanned;
