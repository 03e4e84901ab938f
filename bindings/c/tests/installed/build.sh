# Builds programs with pkg-config and the unpacked package in the folder VITALWIRE, with the compilers CC and CXX.
set -e
# --8<-- [start:c]
export PKG_CONFIG_PATH="$VITALWIRE/lib/pkgconfig"
"$CC" app.c $(pkg-config --cflags --libs vitalwire) -o shared_c
"$CC" app.c $(pkg-config --cflags --libs vitalwire-static) -o static_c
# --8<-- [end:c]
# pkg-config does not state the standard, and clang before 16 defaults to an older one.
# --8<-- [start:cpp]
"$CXX" -std=c++17 app.cpp $(pkg-config --cflags --libs vitalwire) -o shared_cpp
"$CXX" -std=c++17 app.cpp $(pkg-config --cflags --libs vitalwire-static) -o static_cpp
# --8<-- [end:cpp]
