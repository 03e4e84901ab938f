plugins {
    alias(libs.plugins.android)
    alias(libs.plugins.kotlin)
    alias(libs.plugins.compose)
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
        // Whether the application takes the base URL and the token of a sandbox from its intent. In releases, only with -Psandbox.
        debug {
            buildConfigField("boolean", "SANDBOX", "true")
        }
        release {
            buildConfigField("boolean", "SANDBOX", "${providers.gradleProperty("sandbox").isPresent}")
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
    implementation(libs.vitalwire)
    implementation(libs.coroutines)
    coreLibraryDesugaring(libs.desugaring)
}
// --8<-- [end:vitalwire]

android.buildFeatures.compose = true
// The class BuildConfig.
android.buildFeatures.buildConfig = true

kotlin {
    jvmToolchain(17)
}

dependencies {
    implementation(libs.vitalwire.consent)
    implementation(libs.browser)
    implementation(libs.work)
    implementation(libs.viewmodel)
    implementation(platform(libs.compose.bom))
    implementation(libs.activity.compose)
    implementation(libs.compose.material)
    implementation(libs.compose.preview)
    debugImplementation(libs.compose.tooling)
}
