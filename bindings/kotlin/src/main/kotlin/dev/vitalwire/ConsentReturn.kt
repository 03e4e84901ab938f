package dev.vitalwire

import dev.vitalwire.ffi.ConsentReturn
import dev.vitalwire.ffi.parseReturn

/**
 * Reads what the browser brought back from the consent flow: a whole URL of any scheme, a path with its query, or a query.
 *
 * @param expectedState the state that the flow began with. Give null only where it began without one: then nothing tells a genuine
 *   return from one that somebody made up.
 * @throws VitalwireException of kind `SIGNATURE` where the state is another, `DECODE` where it is no return.
 */
fun ConsentReturn.Companion.parse(url: String, expectedState: String?): ConsentReturn = translated { parseReturn(url, expectedState) }
