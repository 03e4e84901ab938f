package stranger

import dagger.Module
import dagger.Provides
import dagger.hilt.components.SingletonComponent
import dagger.hilt.testing.TestInstallIn
import dev.vitalwire.*
import dev.vitalwire.testing.mock
import javax.inject.Singleton

/** Hilt module that provides a client with mock responses to all tests. */
@Module
@TestInstallIn(components = [SingletonComponent::class], replaces = [ClientModule::class])
object MockResponsesModule {
    @Provides
    @Singleton
    fun responses(): MockResponses = MockResponses.samples()

    @Provides
    @Singleton
    fun api(responses: MockResponses): VitalwireApi = VitalwireClient.mock(responses)
}
