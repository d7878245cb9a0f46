package io.deli.tools.advise;

/**
 * A table as its region servers describe it.
 *
 * @param rows of the table
 * @param counted whether these were counted, not estimated
 * @param rowBytes of an average row, in the column's family
 * @param servers that have regions of it
 * @param files of one region and family: the papers' levels
 * @param blockBytes of a data block of the column's family
 * @param versions that the column's family keeps
 * @param reads rows read since the regions were opened, by gets and scans alike
 * @param writes mutations since the regions were opened
 */
public record TableFacts(
    long rows,
    boolean counted,
    double rowBytes,
    int regions,
    int servers,
    double files,
    int blockBytes,
    int versions,
    long reads,
    long writes) {}
