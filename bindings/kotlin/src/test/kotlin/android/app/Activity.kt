package android.app

import android.content.ContentResolver
import android.content.Context
import android.content.Intent
import java.io.File
import java.nio.file.Files

/** Stub of `android.app.Activity`. Keeps the intents that it started. */
open class Activity : Context() {
    val started = mutableListOf<Intent>()

    override val filesDir: File by lazy { Files.createTempDirectory("files").toFile() }

    override fun getContentResolver(): ContentResolver = ContentResolver(emptyMap())

    fun startActivity(intent: Intent) {
        started += intent
    }

    open fun onNewIntent(intent: Intent) = Unit

    open fun onDestroy() = Unit
}
