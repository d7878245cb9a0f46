/** Conditions on indexed values, and the ranges of tokens that can satisfy them. */
package io.deli.query;
