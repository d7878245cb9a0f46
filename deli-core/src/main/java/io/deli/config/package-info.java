/**
 * The settings of DELI: keys in {@code hbase-site.xml} or {@code deli-site.xml} under {@code
 * deli.}.
 */
package io.deli.config;
