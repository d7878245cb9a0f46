/** What every strategy must do, whatever it does for it. */
package io.deli.test.strategy;
