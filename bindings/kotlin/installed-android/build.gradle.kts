plugins {
    id("com.android.application") version "8.13.0"
    id("org.jetbrains.kotlin.android") version "2.3.0"
    id("org.jetbrains.kotlin.plugin.compose") version "2.3.0"
}

android {
    namespace = "dev.vitalwire.stranger"
    compileSdk = 35

    defaultConfig {
        applicationId = "dev.vitalwire.stranger"
        targetSdk = 35
        versionCode = 1
        versionName = "1"
    }

    buildTypes {
        release {
            // R8 uses only the rules in the AAR.
            isMinifyEnabled = true
            isShrinkResources = true
            proguardFiles(getDefaultProguardFile("proguard-android-optimize.txt"))
            signingConfig = signingConfigs.getByName("debug")
        }
    }
}

// --8<-- [start:vitalwire]
android.defaultConfig.minSdk = 24
// java.time below API level 26. With minSdk 26, leave out this line and the dependency.
android.compileOptions.isCoreLibraryDesugaringEnabled = true

dependencies {
    implementation("dev.vitalwire:vitalwire-android:${providers.gradleProperty("vitalwire.version").get()}")
    implementation("org.jetbrains.kotlinx:kotlinx-coroutines-android:1.11.0")
    coreLibraryDesugaring("com.android.tools:desugar_jdk_libs:2.1.5")
}
// --8<-- [end:vitalwire]

android.buildFeatures.compose = true

kotlin {
    jvmToolchain(17)
}

dependencies {
    // The newest versions that support compileSdk 35.
    implementation(platform("androidx.compose:compose-bom:2025.06.01"))
    implementation("androidx.activity:activity-compose:1.10.1")
    implementation("androidx.compose.material3:material3")
    implementation("androidx.compose.ui:ui-tooling-preview")
    debugImplementation("androidx.compose.ui:ui-tooling")
}
