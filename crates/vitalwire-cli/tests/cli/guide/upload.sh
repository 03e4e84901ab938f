# --8<-- [start:meal]
vitalwire --sandbox nutrition upload lunch.png --wait --strip-metadata
# --8<-- [end:meal]
# --8<-- [start:report]
vitalwire --sandbox labs upload report.pdf --wait
# --8<-- [end:report]
