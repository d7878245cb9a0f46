/** Tables that come back from snapshots without what their indexes have gone through since. */
package io.deli.coprocessor.internal.restore;
