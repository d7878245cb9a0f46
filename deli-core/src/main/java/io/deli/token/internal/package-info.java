/** The tokenizers that come with DELI. */
package io.deli.token.internal;
