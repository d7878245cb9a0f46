/**
 * The papers' experiments, reproduced on HBase, and what an index costs beside plain HBase.
 *
 * <h2>A spec file each</h2>
 *
 * An experiment is a file {@code NAME.yaml} beside these classes, listed in {@link
 * io.deli.lab.experiment.Experiment}. It says what it {@code shows}, what the papers {@code claim},
 * the {@code server} that it wants, {@code parameters} by size, the {@code arms} that are compared,
 * the {@code stages} in which they are measured, {@code plots}, and {@code checks}: for each claim
 * the bounds that it comes to, and those of DELI's own {@code aims}. {@link
 * io.deli.lab.experiment.SpecFile} reads it for one size: parameters are put in, loops are
 * unrolled. {@link io.deli.lab.experiment.Experiment} is what comes of it. Whatever a spec says
 * that is not understood is refused as it is read, by an error that names file and key: nothing is
 * found out an hour later.
 *
 * <h2>Arms, stages, steps</h2>
 *
 * Each arm has a table of its own: plain HBase, an index of some strategy, one that an application
 * keeps by hand, Phoenix's, or a relational database ({@link io.deli.lab.experiment.ArmTable}).
 * Where arms are strategies, any other may be one, too. A stage prepares the tables, then repeats a
 * trial for each arm, in interleaved rounds. Preparation and trial are lists of steps. A step does
 * one thing ({@link io.deli.lab.experiment.Actions}): creates, loads, runs a workload, flushes,
 * compacts, and so on; and records some of what the {@link io.deli.lab.experiment.Meter} saw
 * meanwhile. A stage may go on {@code after} another, with the tables as that left them.
 *
 * <h2>Operations are YCSB's</h2>
 *
 * Rows, values and operations are those of {@link io.deli.ycsb.ValueWorkload}, set up by its
 * properties ({@link io.deli.lab.experiment.Workloads}), through the bindings of {@code deli-ycsb}
 * on connections that stay open. YCSB's own client is not used: it ends the process, measures once
 * in its life, and knows no rounds. {@link io.deli.lab.experiment.WorkloadRun} drives a workload by
 * threads of ours, {@link io.deli.lab.experiment.WorkloadRun.TimedBinding} times each operation,
 * and {@link io.deli.lab.experiment.AnswerCheck} knows which answers are right.
 *
 * <h2>Measurements</h2>
 *
 * A {@link io.deli.lab.experiment.Journal} keeps each trial's measurements as soon as it ends, one
 * a line, so that a run that was cut off goes on where it stopped. From these alone {@link
 * io.deli.lab.experiment.Report} makes tables, plots, and the verdict: whether what the paper found
 * holds here, as {@link io.deli.lab.experiment.Expectation}s that compute it.
 */
package io.deli.lab.experiment;
