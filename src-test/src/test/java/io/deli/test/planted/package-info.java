/** Deliberately broken variants of what DELI does, each of which a checker must catch. */
package io.deli.test.planted;
