state=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
vitalwire integrations init-url oura --redirect-uri https://app.example.org/connected --state "$state"
