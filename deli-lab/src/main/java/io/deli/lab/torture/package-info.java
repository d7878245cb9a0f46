/**
 * Torture: clients at work while a cluster suffers, a recorded history of what they did and saw,
 * and a checker that decides whether the answers can be explained.
 */
package io.deli.lab.torture;
