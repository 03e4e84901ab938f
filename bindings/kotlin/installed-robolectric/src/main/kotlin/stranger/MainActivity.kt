package stranger

import androidx.activity.ComponentActivity
import androidx.activity.viewModels
import dagger.hilt.android.AndroidEntryPoint

/** Activity with the view models of two screens. */
@AndroidEntryPoint(ComponentActivity::class)
class MainActivity : Hilt_MainActivity() {
    val night: NightModel by viewModels()
    val steps: StepsModel by viewModels()
}
