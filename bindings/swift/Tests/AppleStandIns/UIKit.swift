/// Only imported modules matter: the example asks whether there is a UIKit.
public enum UIKit {}
