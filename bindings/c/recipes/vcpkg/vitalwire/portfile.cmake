# Installs the archive of a release. Nothing is compiled.

# The archive has no debug libraries.
set(VCPKG_BUILD_TYPE release)
# The archive has both libraries, and the targets for CMake name the one to link.
set(VCPKG_POLICY_DLLS_IN_STATIC_LIBRARY enabled)

if(VCPKG_TARGET_IS_LINUX AND VCPKG_TARGET_ARCHITECTURE STREQUAL "x64")
  set(system x86_64-unknown-linux-gnu)
  set(checksum "@SHA512 x86_64-unknown-linux-gnu@")
elseif(VCPKG_TARGET_IS_LINUX AND VCPKG_TARGET_ARCHITECTURE STREQUAL "arm64")
  set(system aarch64-unknown-linux-gnu)
  set(checksum "@SHA512 aarch64-unknown-linux-gnu@")
elseif(VCPKG_TARGET_IS_OSX AND VCPKG_TARGET_ARCHITECTURE STREQUAL "x64")
  set(system x86_64-apple-darwin)
  set(checksum "@SHA512 x86_64-apple-darwin@")
elseif(VCPKG_TARGET_IS_OSX AND VCPKG_TARGET_ARCHITECTURE STREQUAL "arm64")
  set(system aarch64-apple-darwin)
  set(checksum "@SHA512 aarch64-apple-darwin@")
elseif(VCPKG_TARGET_IS_WINDOWS AND VCPKG_TARGET_ARCHITECTURE STREQUAL "x64")
  set(system x86_64-pc-windows-msvc)
  set(checksum "@SHA512 x86_64-pc-windows-msvc@")
else()
  message(FATAL_ERROR "vitalwire has no archive for this system; vcpkg.json lists the supported ones")
endif()

vcpkg_download_distfile(archive
  URLS "https://github.com/vitalwire/vitalwire/releases/download/v${VERSION}/vitalwire-c-${VERSION}-${system}.tar.gz"
  FILENAME "vitalwire-c-${VERSION}-${system}.tar.gz"
  SHA512 ${checksum})
vcpkg_extract_source_archive(source ARCHIVE "${archive}")

foreach(folder IN ITEMS include lib bin)
  if(EXISTS "${source}/${folder}")
    file(COPY "${source}/${folder}" DESTINATION "${CURRENT_PACKAGES_DIR}")
  endif()
endforeach()

# vcpkg looks for CMake files in share/vitalwire, which is one level less deep than lib/cmake/Vitalwire.
file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}/share")
file(RENAME "${CURRENT_PACKAGES_DIR}/lib/cmake/Vitalwire" "${CURRENT_PACKAGES_DIR}/share/${PORT}")
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/lib/cmake")
vcpkg_replace_string("${CURRENT_PACKAGES_DIR}/share/${PORT}/VitalwireConfig.cmake"
  "\${CMAKE_CURRENT_LIST_DIR}/../../.." "\${CMAKE_CURRENT_LIST_DIR}/../..")

vcpkg_install_copyright(FILE_LIST
  "${source}/share/doc/vitalwire/LICENSE-APACHE"
  "${source}/share/doc/vitalwire/LICENSE-MIT"
  "${source}/share/doc/vitalwire/THIRD-PARTY-NOTICES.txt")
