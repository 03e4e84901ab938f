/** Stub of `android.os`. */
package android.os

class Bundle
