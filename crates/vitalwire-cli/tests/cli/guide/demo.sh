vitalwire demo
