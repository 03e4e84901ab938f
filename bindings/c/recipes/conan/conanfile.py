"""Conan recipe of the C and C++ package. Installs the archive of a release; nothing is compiled."""

import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.files import copy, get


class Vitalwire(ConanFile):
    name = "vitalwire"
    version = "@VERSION@"
    description = "Client for a health data service, for C and C++"
    license = "MIT OR Apache-2.0"
    url = homepage = "https://github.com/vitalwire/vitalwire"
    package_type = "shared-library"
    # The libraries do not depend on the user's compiler.
    settings = "os", "arch"

    def _archive(self):
        """Returns the address and checksum of the archive for the user's system, or None."""
        return self.conan_data["sources"][self.version].get(str(self.settings.os), {}).get(str(self.settings.arch))

    def validate(self):
        if self._archive() is None:
            raise ConanInvalidConfiguration("there is no archive for this system; conandata.yml lists the supported ones")

    def build(self):
        get(self, **self._archive(), strip_root=True)

    def package(self):
        for folder in ("include", "lib", "bin"):
            copy(self, "*", os.path.join(self.build_folder, folder), os.path.join(self.package_folder, folder))
        documents = os.path.join(self.build_folder, "share", "doc", "vitalwire")
        for file in ("LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-NOTICES.txt"):
            copy(self, file, documents, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # CMake uses the description in the archive, which also has a target for the static library.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "Vitalwire")]
        self.cpp_info.libs = ["vitalwire"]
        self.cpp_info.defines = ["VITALWIRE_SHARED"]
