/**
 * Requests compactions of all files of a family when enough index garbage has gathered for them to
 * collect.
 *
 * <p><b>The estimate.</b> After a flush, a thread of DELI's own reads some rows of the family's
 * files and classifies them by HBase's own rules as a compaction of all these files would now
 * ({@code GarbageEstimator}). The estimate is the share of dying versions among the versions of
 * indexed columns there ({@code GarbageEstimator.Sample}). So VERSIONS, delete markers, time to
 * live and what scanners still need count as they will then; a version whose entries an earlier
 * staged run has deleted is no garbage. Nothing is counted while cells are written or flushed.
 *
 * <p><b>Its error.</b> Where nothing is garbage, in a table that is only inserted into, say, it is
 * 0 and no compaction is asked for. Files of a few megabytes are read whole, and it is exact. Of
 * larger ones it reads 32 places of 200 cells, spread over the cells in the order of rows: evenly
 * if HBase keeps a file's block index in one level, else at the beginnings of its chunks, of which
 * a file of some hundred megabytes has a few only. With all 32 a standard deviation is below 0.09
 * even if each place were garbage throughout or not at all; with four it is 0.25. It is 0.01 to
 * 0.03 where the versions of neighbouring rows die independently of each other, and half of the
 * cells are such versions. Garbage in memory is not seen, for a compaction would not collect it.
 *
 * <p><b>Why that is enough.</b> It decides when to do what would be right, if costly, at any time.
 * Off by a tenth, a compaction comes a little sooner or later. However wrong it were, there is one
 * request of a family at a time, and none sooner than an interval after the last whole compaction.
 *
 * <p><b>Its cost.</b> At most 32 times a few blocks of each file, past the block cache, and only
 * when a twentieth of the cells is newer than the last estimate.
 */
package io.deli.coprocessor.internal.compactiontrigger;
