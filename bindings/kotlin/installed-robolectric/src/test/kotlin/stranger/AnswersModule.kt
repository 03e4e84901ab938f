package stranger

import dagger.Module
import dagger.Provides
import dagger.hilt.components.SingletonComponent
import dagger.hilt.testing.TestInstallIn
import dev.vitalwire.*
import dev.vitalwire.testing.answering
import javax.inject.Singleton

/** In all tests of Hilt the client answers from memory. */
@Module
@TestInstallIn(components = [SingletonComponent::class], replaces = [ClientModule::class])
object AnswersModule {
    @Provides
    @Singleton
    fun answers(): Answers = Answers.samples()

    @Provides
    @Singleton
    fun api(answers: Answers): VitalwireApi = VitalwireClient.answering(answers)
}
