/** The JSON form of definitions. */
package io.deli.strategy.internal;
