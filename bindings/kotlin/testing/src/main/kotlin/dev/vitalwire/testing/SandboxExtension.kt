package dev.vitalwire.testing

import org.junit.jupiter.api.extension.BeforeAllCallback
import org.junit.jupiter.api.extension.ExtensionContext
import org.junit.jupiter.api.extension.ParameterContext
import org.junit.jupiter.api.extension.ParameterResolver

/**
 * A JUnit extension that starts a [Sandbox] for the tests of a class and stops it after them:
 *
 * ```kotlin
 * @ExtendWith(SandboxExtension::class)
 * class NightTest {
 *     @Test
 *     fun `the last night has stages`(sandbox: Sandbox): Unit = runBlocking {
 *         assertNotNull(sandbox.client.sleeps.get(sandbox.sleepId) { includeStages = true }.stages)
 *     }
 * }
 * ```
 */
public class SandboxExtension : BeforeAllCallback, ParameterResolver {
    override fun beforeAll(context: ExtensionContext) {
        of(context)
    }

    override fun supportsParameter(parameter: ParameterContext, context: ExtensionContext): Boolean =
        parameter.parameter.type == Sandbox::class.java

    override fun resolveParameter(parameter: ParameterContext, context: ExtensionContext): Any = of(context)

    /** Returns the sandbox of the test class. JUnit closes the sandbox in the class's store when all tests of the class have ended. */
    private fun of(context: ExtensionContext): Sandbox {
        val ofClass = generateSequence(context) { it.parent.orElse(null) }.last { it.testClass.isPresent }
        val store = ofClass.getStore(ExtensionContext.Namespace.create(SandboxExtension::class.java))
        return store.computeIfAbsent(Sandbox::class.java, { Sandbox.start() }, Sandbox::class.java)
    }
}
