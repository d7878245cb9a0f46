/** YCSB under {@code bin/deli}. */
package io.deli.tools.ycsb;
