/** The JSON form of definitions. */
package io.deli.index.internal;
