vitalwire sandbox --webhook-url http://127.0.0.1:9000/
