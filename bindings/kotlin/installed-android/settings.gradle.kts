// A stranger's application, which takes the AAR from a Maven repository: -Pvitalwire.repository=FOLDER -Pvitalwire.version=NUMBER.
// kotlin.yml builds and runs it; it has not been built yet.
pluginManagement {
    repositories {
        google()
        mavenCentral()
        gradlePluginPortal()
    }
}

dependencyResolutionManagement {
    repositories {
        maven { url = uri(providers.gradleProperty("vitalwire.repository").get()) }
        google()
        mavenCentral()
    }
}

rootProject.name = "stranger"
