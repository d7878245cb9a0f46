/**
 * The parts of HBase that the coprocessor uses though HBase promises them to nobody, so that they
 * may be gone or different in any release: members found by their names, and requests as they came
 * over the wire.
 *
 * <p>{@link io.deli.coprocessor.internal.hbase.HBaseInternals} lists what is found by its name,
 * with what DELI does without. That is always right, and slower or later: garbage stays. All else
 * is compiled against HBase's private classes; a test holds every class of DELI against the HBase
 * that is on the class path, and names what is gone.
 */
package io.deli.coprocessor.internal.hbase;
