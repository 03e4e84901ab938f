package stranger

import android.content.Context
import androidx.work.BackoffPolicy
import androidx.work.Constraints
import androidx.work.CoroutineWorker
import androidx.work.ExistingPeriodicWorkPolicy
import androidx.work.ListenableWorker.Result
import androidx.work.NetworkType
import androidx.work.PeriodicWorkRequestBuilder
import androidx.work.WorkManager
import androidx.work.WorkerParameters
import java.util.concurrent.TimeUnit
import stranger.sync.Outcome

// --8<-- [start:program]
/** Updates the copy in the background. The system may start a process without an activity for it. */
class SyncWorker(context: Context, parameters: WorkerParameters) : CoroutineWorker(context, parameters) {
    override suspend fun doWork(): Result = result((applicationContext as SampleApplication).update())

    companion object {
        /** Returns WorkManager's result. After a failure, periodic work waits for its next period. */
        fun result(outcome: Outcome): Result = when (outcome) {
            Outcome.SUCCESS -> Result.success()
            Outcome.RETRY -> Result.retry()
            Outcome.FAILURE -> Result.failure()
        }

        /** Updates the copy about every 6 hours. Work of this name that is already enqueued gets these values. */
        fun schedule(context: Context) {
            val constraints = Constraints.Builder().setRequiredNetworkType(NetworkType.CONNECTED).build()
            val work = PeriodicWorkRequestBuilder<SyncWorker>(6, TimeUnit.HOURS)
                .setConstraints(constraints)
                .setBackoffCriteria(BackoffPolicy.EXPONENTIAL, 10, TimeUnit.MINUTES)
                .build()
            WorkManager.getInstance(context).enqueueUniquePeriodicWork("sync", ExistingPeriodicWorkPolicy.UPDATE, work)
        }
    }
}
// --8<-- [end:program]
