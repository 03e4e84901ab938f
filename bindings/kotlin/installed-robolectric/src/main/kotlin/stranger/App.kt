package stranger

import android.app.Application
import android.content.Context
import dagger.Module
import dagger.Provides
import dagger.hilt.InstallIn
import dagger.hilt.android.HiltAndroidApp
import dagger.hilt.android.qualifiers.ApplicationContext
import dagger.hilt.components.SingletonComponent
import dev.vitalwire.*
import javax.inject.Inject
import javax.inject.Singleton

/** The application. It extends the class that Hilt generates, because Hilt's Gradle plugin is not used. */
@HiltAndroidApp(Application::class)
class App : Hilt_App()

/** The signed-in user and the address of the service. */
class Account @Inject constructor(@param:ApplicationContext private val context: Context) {
    private val kept get() = context.getSharedPreferences("account", Context.MODE_PRIVATE)

    var url: String?
        get() = kept.getString("url", null)
        set(value) = kept.edit().putString("url", value).apply()

    var token: String
        get() = kept.getString("token", "").orEmpty()
        set(value) = kept.edit().putString("token", value).apply()
}

@Module
@InstallIn(SingletonComponent::class)
object ClientModule {
    @Provides
    @Singleton
    fun api(account: Account): VitalwireApi = VitalwireClient {
        baseUrl = account.url
        noProxy = true
        tokenProvider { AccessToken(account.token) }
        onAttempt(AttemptLog.logcat())
    }
}

@Module
@InstallIn(SingletonComponent::class)
object ResourcesModule {
    @Provides
    fun sleeps(api: VitalwireApi): Sleeps = api.sleeps

    @Provides
    fun statistics(api: VitalwireApi): Statistics = api.statistics
}
