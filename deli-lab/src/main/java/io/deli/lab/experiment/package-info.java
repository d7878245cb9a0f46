/**
 * The papers' experiments, reproduced on HBase: what each measures is a class in {@code catalog};
 * here is what they share.
 *
 * <p>An {@link io.deli.lab.experiment.Experiment} runs trials of its arms in interleaved rounds. A
 * {@link io.deli.lab.experiment.Journal} keeps each trial's measurements as soon as it ends, one a
 * line, so that a run that was cut off goes on where it stopped. From these alone {@link
 * io.deli.lab.experiment.Report} makes tables, plots, and the verdict: whether what the paper found
 * holds here, as {@link io.deli.lab.experiment.Check}s that compute it.
 */
package io.deli.lab.experiment;
