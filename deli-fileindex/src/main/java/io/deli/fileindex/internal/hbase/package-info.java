/**
 * The parts of HBase that file indexes use on region servers though HBase promises them to nobody,
 * so that they may be gone or different in any release: members found by their names, subclasses of
 * what writes files, and blocks of its files.
 *
 * <p>{@link io.deli.fileindex.internal.hbase.StoreInternals} lists what is found by its name, with
 * what lookups do without: they are right and read more. All else is compiled against HBase's
 * private classes; a test holds every class of DELI against the HBase that is on the class path,
 * and names what is gone.
 */
package io.deli.fileindex.internal.hbase;
