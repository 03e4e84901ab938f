package dev.vitalwire

import java.io.File
import java.security.KeyStore
import java.util.Base64
import java.util.concurrent.TimeUnit
import javax.net.ssl.KeyManagerFactory
import javax.net.ssl.SSLContext
import javax.net.ssl.SSLServerSocket
import javax.net.ssl.TrustManagerFactory
import kotlin.concurrent.thread
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.io.TempDir

/** Tests which certificates a client trusts. Each call to the TLS server runs in a JVM with its own trust store. */
class PlatformTrustTest {
    @Test
    fun `only servers of authorities that the JVM trusts are trusted`(@TempDir folder: File) {
        val server = authority(folder, "own")
        authority(folder, "other")
        server(server).use {
            val url = "https://127.0.0.1:${it.localPort}"
            val untrusted = "transport: the server's certificate is not trusted: its issuer is unknown; set a CA certificate to trust it"
            assertEquals(untrusted, call(url, false, File(folder, "own.trust")))
            assertEquals("u-1", call(url, true, File(folder, "own.trust")))
            assertEquals(untrusted, call(url, true, File(folder, "other.trust")))
        }
    }

    @Test
    fun `a server that requires a client certificate gets that of a text or a file`(@TempDir folder: File) {
        val keys = authority(folder, "own")
        val (pem, root) = pem(keys) to File(folder, "own.root").readText()
        val file = File(folder, "client.pem").apply { writeText(pem) }
        server(keys, File(folder, "own.trust")).use {
            val changes = listOf<VitalwireClient.Builder.() -> Unit>({ clientCertificate = pem }, { clientCertificateFile = file })
            for (change in changes) assertEquals("u-1", userOf(it, root, change))
            val error = assertThrows<VitalwireException> { userOf(it, root) {} }
            assertEquals("the server requires a client certificate that it accepts; set clientCertificate", error.reason)
            val noKey = assertThrows<VitalwireException> { userOf(it, root) { clientCertificate = root } }
            assertEquals("must contain the private key of the certificate", noKey.reason)
        }
    }

    @Test
    fun `an empty or unreadable trust store of the JVM is reported`(@TempDir folder: File) {
        val url = "https://127.0.0.1:9"
        val damaged = File(folder, "damaged").apply { writeText("no store") }
        for (store in listOf(File(folder, "none"), damaged)) {
            assertEquals("configuration: the platform's trusted certificates cannot be read", call(url, true, store))
        }
    }

    /** Creates a certificate authority, a trust store that contains it, and a server's key store with a certificate of this authority. */
    private fun authority(folder: File, name: String): File {
        val (ca, server, trust) = listOf("ca", "server", "trust").map { File(folder, "$name.$it") }
        val (request, certificate, root) = listOf("request", "certificate", "root").map { File(folder, "$name.$it").path }
        val key = listOf("-genkeypair", "-keyalg", "EC", "-groupname", "secp256r1")
        keytool(ca, key + listOf("-alias", "ca", "-dname", "CN=$name", "-ext", "bc:c"))
        keytool(ca, listOf("-exportcert", "-rfc", "-alias", "ca", "-file", root))
        // Java leaves out the public key of an EC key, which a client certificate needs.
        keytool(server, listOf("-genkeypair", "-keyalg", "RSA", "-keysize", "2048", "-alias", "server", "-dname", "CN=server"))
        keytool(server, listOf("-certreq", "-alias", "server", "-file", request))
        keytool(ca, listOf("-gencert", "-rfc", "-alias", "ca", "-infile", request, "-outfile", certificate, "-ext", "san=ip:127.0.0.1"))
        keytool(server, listOf("-importcert", "-noprompt", "-alias", "ca", "-file", root))
        keytool(server, listOf("-importcert", "-noprompt", "-alias", "server", "-file", certificate))
        keytool(trust, listOf("-importcert", "-noprompt", "-alias", "ca", "-file", root))
        return server
    }

    private fun keytool(store: File, arguments: List<String>) {
        val command = listOf(tool("keytool")) + arguments + listOf("-keystore", store.path, "-storetype", "PKCS12", "-storepass", PASSWORD)
        val process = ProcessBuilder(command).redirectErrorStream(true).start()
        val said = process.inputStream.bufferedReader().readText()
        assertEquals(0, process.waitFor(), said)
    }

    /** Returns the certificates and the private key of a server's key store. */
    private fun pem(keys: File): String {
        val store = KeyStore.getInstance(keys, PASSWORD.toCharArray())
        fun block(label: String, content: ByteArray) =
            "-----BEGIN $label-----\n${Base64.getMimeEncoder().encodeToString(content)}\n-----END $label-----\n"
        val chain = store.getCertificateChain("server").joinToString("") { block("CERTIFICATE", it.encoded) }
        return chain + block("PRIVATE KEY", store.getKey("server", PASSWORD.toCharArray()).encoded)
    }

    /** Returns the user's id from a server of this authority only. */
    private fun userOf(server: SSLServerSocket, root: String, change: VitalwireClient.Builder.() -> Unit): String? {
        val client = VitalwireClient {
            baseUrl = "https://127.0.0.1:${server.localPort}"
            token = "t"
            noProxy = true
            maxRetries = 0
            caCertificate = root
            onlyCustomCertificates = true
            change()
        }
        return client.use { runBlocking { it.user.info().uid } }
    }

    /** Starts a server. With a trust store, clients need a certificate of one of its authorities. */
    private fun server(keys: File, clients: File? = null): SSLServerSocket {
        val managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm())
        managers.init(KeyStore.getInstance(keys, PASSWORD.toCharArray()), PASSWORD.toCharArray())
        val trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm())
        clients?.let { trust.init(KeyStore.getInstance(it, PASSWORD.toCharArray())) }
        val context = SSLContext.getInstance("TLS").apply { init(managers.keyManagers, clients?.let { trust.trustManagers }, null) }
        val server = context.serverSocketFactory.createServerSocket(0) as SSLServerSocket
        server.needClientAuth = clients != null
        thread(isDaemon = true) {
            while (!server.isClosed) {
                // A client that does not trust the server aborts the handshake.
                runCatching {
                    server.accept().use { socket ->
                        val lines = socket.getInputStream().bufferedReader()
                        while (lines.readLine().isNotEmpty()) Unit
                        socket.getOutputStream().write(ANSWER.toByteArray())
                    }
                }
            }
        }
        return server
    }

    /** Makes a call in a JVM with this trust store, and returns the JVM's output. */
    private fun call(url: String, platformTrust: Boolean, store: File): String {
        val path = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
        val properties = mapOf(
            "jna.library.path" to System.getProperty("jna.library.path").orEmpty(),
            "javax.net.ssl.trustStore" to store.path,
            "javax.net.ssl.trustStorePassword" to PASSWORD,
        )
        val command = listOf(tool("java"), "-cp", path) + properties.map { "-D${it.key}=${it.value}" } +
            listOf("dev.vitalwire.TrustingPlatform", url, "$platformTrust")
        val process = ProcessBuilder(command).redirectErrorStream(true).start()
        val said = process.inputStream.bufferedReader().readText().trim()
        check(process.waitFor(1, TimeUnit.MINUTES))
        return said
    }

    private fun tool(name: String) = File(System.getProperty("java.home"), "bin/$name").path

    private companion object {
        const val PASSWORD = "not-secret"
        const val ANSWER =
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 13\r\nconnection: close\r\n\r\n{\"uid\":\"u-1\"}"
    }
}

/** The program of the child process: makes one call. */
internal object TrustingPlatform {
    @JvmStatic
    fun main(arguments: Array<String>): Unit = runBlocking {
        val client = VitalwireClient {
            baseUrl = arguments[0]
            token = "t"
            noProxy = true
            maxRetries = 0
            platformTrust = arguments[1].toBoolean()
        }
        try {
            println(client.user.info().uid)
        } catch (error: VitalwireException) {
            println("${error.kind}: ${error.reason} ${error.argument.orEmpty()}".trim())
        }
    }
}
