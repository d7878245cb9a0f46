/** Measures: work driven by threads, arms in interleaved rounds, medians and their range. */
package io.deli.lab.measure;
