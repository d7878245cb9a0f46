/** What the observer's hooks do with a region. */
package io.deli.coprocessor.internal;
