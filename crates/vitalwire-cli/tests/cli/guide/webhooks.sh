vitalwire webhook verify --key-env VITALWIRE_WEBHOOK_KEY --signature "$SIGNATURE" body.json
