// An application that gets the AAR from a Maven repository, by default the one that `cargo xtask package android` writes.
// Open this folder in Android Studio. The workflow kotlin.yml builds and runs the application. The workflow has not run yet.
pluginManagement {
    repositories {
        google()
        mavenCentral()
        gradlePluginPortal()
    }
}

// --8<-- [start:repository]
dependencyResolutionManagement {
    repositories {
        maven { url = uri(providers.gradleProperty("vitalwire.repository").get()) }
        google()
        mavenCentral()
    }
}
// --8<-- [end:repository]

rootProject.name = "stranger"
