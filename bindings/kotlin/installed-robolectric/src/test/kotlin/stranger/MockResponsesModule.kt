package stranger

import dagger.Module
import dagger.Provides
import dagger.hilt.components.SingletonComponent
import dagger.hilt.testing.TestInstallIn
import dev.vitalwire.*
import dev.vitalwire.testing.mock
import javax.inject.Singleton

/** Gives the client mock responses in all tests with Hilt. */
@Module
@TestInstallIn(components = [SingletonComponent::class], replaces = [ClientModule::class])
object MockResponsesModule {
    @Provides
    @Singleton
    fun answers(): MockResponses = MockResponses.samples()

    @Provides
    @Singleton
    fun api(answers: MockResponses): VitalwireApi = VitalwireClient.mock(answers)
}
