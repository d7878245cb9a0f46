/** YCSB under {@code bin/deli}. */
package io.deli.lab.ycsb;
