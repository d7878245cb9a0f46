/** What the region answers to clients: descriptions of its indexes, and read repair. */
package io.deli.coprocessor.internal.answer;
