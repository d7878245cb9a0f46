/** The experiments: their data, arms, measurements and the papers' claims. */
package io.deli.lab.experiment.catalog;
