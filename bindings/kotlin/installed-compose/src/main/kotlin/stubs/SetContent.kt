/** Stub of `androidx.activity.compose`. */
package androidx.activity.compose

import androidx.activity.ComponentActivity
import androidx.compose.runtime.Composable

fun ComponentActivity.setContent(content: @Composable () -> Unit) {
    this.content = content
}
