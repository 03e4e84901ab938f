git clone https://github.com/vitalwire/vitalwire && cd vitalwire && .ci/demo
.ci/run
