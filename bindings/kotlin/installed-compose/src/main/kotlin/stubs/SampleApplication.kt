package stranger

import dev.vitalwire.consent.ConsentModel

/** Stub of the sample's application, with its model alone. */
class SampleApplication(val consent: ConsentModel)
