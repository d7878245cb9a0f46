/**
 * Random histories against an in-memory model of HBase.
 *
 * <p>{@link io.deli.test.model.ModelTest} runs one client; {@link
 * io.deli.test.model.ConcurrencyTest} runs many.
 */
package io.deli.test.model;
