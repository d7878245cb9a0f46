/**
 * Soak: writers that saturate a cluster for a long time, and whether memory, queues, other work and
 * region closes stay bounded.
 */
package io.deli.lab.soak;
