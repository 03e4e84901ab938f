package stranger

import android.content.ContentValues
import android.content.Context
import android.database.sqlite.SQLiteDatabase
import android.database.sqlite.SQLiteOpenHelper
import dev.vitalwire.*
import java.io.File
import java.time.LocalDate
import stranger.sync.RecordCopy

// --8<-- [start:program]
/** A copy of records in SQLite. A file in `noBackupFilesDir` is in no backup and is not moved to another device. */
class SqliteCopy(context: Context, file: File) : SQLiteOpenHelper(context, file.path, null, 1), RecordCopy {
    override fun onCreate(database: SQLiteDatabase) {
        database.execSQL("CREATE TABLE records (kind TEXT, id TEXT, day TEXT, json_rows TEXT, PRIMARY KEY (kind, id))")
        database.execSQL("CREATE TABLE states (copy INTEGER PRIMARY KEY, state BLOB)")
    }

    override fun onUpgrade(database: SQLiteDatabase, oldVersion: Int, newVersion: Int) = Unit

    override fun state(): ByteArray? =
        readableDatabase.rawQuery("SELECT state FROM states", null).use { if (it.moveToFirst()) it.getBlob(0) else null }

    override fun store(changes: List<Change>, state: ByteArray) = transaction {
        for (change in changes) when (change.type) {
            ChangeType.ADDED, ChangeType.CHANGED -> replace("records", null, row(change))
            ChangeType.REMOVED -> delete("records", "kind = ? AND id = ?", arrayOf(change.kind.text, change.id))
            ChangeType.DAY_REMOVED -> delete("records", "kind = ? AND day = ?", arrayOf(change.kind.text, "${change.day}"))
        }
        replace("states", null, ContentValues().apply {
            put("copy", 1)
            put("state", state)
        })
    }

    override fun clear() = transaction {
        delete("records", null, null)
        delete("states", null, null)
    }

    /** Returns the days of all records of a kind, with their rows as JSON, the newest first. */
    fun rows(kind: RecordKind): List<Pair<LocalDate, String>> =
        readableDatabase.rawQuery(
            "SELECT day, json_rows FROM records WHERE kind = ? AND day IS NOT NULL ORDER BY day DESC", arrayOf(kind.text),
        ).use { cursor ->
            generateSequence { if (cursor.moveToNext()) LocalDate.parse(cursor.getString(0)) to cursor.getString(1) else null }.toList()
        }

    private fun row(change: Change) = ContentValues().apply {
        put("kind", change.kind.text)
        put("id", change.id)
        put("day", change.day?.toString())
        put("json_rows", change.jsonRows.joinToString(",", "[", "]"))
    }

    private fun transaction(work: SQLiteDatabase.() -> Unit) = writableDatabase.run {
        beginTransaction()
        try {
            work()
            setTransactionSuccessful()
        } finally {
            endTransaction()
        }
    }
}
// --8<-- [end:program]
