/**
 * Faults of a cluster under torture: what each does, how long it lasts, what shows that it
 * happened, and how it is put right.
 *
 * <p>A {@link io.deli.lab.fault.Fault} is run to its end by one thread, while clients work. It is
 * bounded in time, shows by a check of its own that it happened (else it throws an {@link
 * java.lang.IllegalStateException}: a fault that does nothing proves nothing), and puts right what
 * does not mend by itself. An {@link java.io.IOException} says that HBase refused it, as the split
 * of a region that is being moved, and is counted as such.
 *
 * <p>{@link io.deli.lab.fault.FaultProfile} names the groups of faults, what they need of a cluster
 * and of the machine, and is where to look first.
 */
package io.deli.lab.fault;
