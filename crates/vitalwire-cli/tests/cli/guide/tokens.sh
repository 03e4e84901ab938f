VITALWIRE_TOKEN=$(vitalwire token "$APPLICATION_ID" person-1 --key-env APPLICATION_KEY)
export VITALWIRE_TOKEN
vitalwire user
