/** One class per command. */
package io.deli.tools.command;
