"""Prints the public names of a header and the headers that it includes, as libclang reads them.

Arguments: a folder, the header in it, and options of the compiler. Prints a line for each name, with three columns between tabs: the name,
its type, value or layout, and the type that cannot gain this name without breaking programs.
"""

import pathlib
import sys

from clang.cindex import AccessSpecifier, Cursor, CursorKind, Index, TranslationUnit, Type, TypeKind

SCOPES = {
    CursorKind.NAMESPACE,
    CursorKind.STRUCT_DECL,
    CursorKind.UNION_DECL,
    CursorKind.CLASS_DECL,
    CursorKind.CLASS_TEMPLATE,
    CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
    CursorKind.ENUM_DECL,
}
TYPES = SCOPES - {CursorKind.NAMESPACE}
FUNCTIONS = {
    CursorKind.FUNCTION_DECL,
    CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR,
    CursorKind.CONVERSION_FUNCTION,
    CursorKind.FUNCTION_TEMPLATE,
}
VALUES = {CursorKind.TYPEDEF_DECL, CursorKind.TYPE_ALIAS_DECL, CursorKind.TYPE_ALIAS_TEMPLATE_DECL, CursorKind.VAR_DECL}
KINDS = SCOPES | FUNCTIONS | VALUES | {CursorKind.FIELD_DECL, CursorKind.ENUM_CONSTANT_DECL, CursorKind.CXX_BASE_SPECIFIER}
# C++ namespaces whose names only the headers use.
INTERNAL = {"detail"}


def layout(type_: Type) -> str:
    """Return size and alignment of a type."""
    return f"{type_.get_size()} bytes, aligned to {type_.get_align()}"


def declared(cursor: Cursor, is_c: bool) -> str:
    """Return the type without parameter names, the value of a constant, or the layout of a type in C."""
    type_ = cursor.type.get_canonical()
    if cursor.kind == CursorKind.ENUM_CONSTANT_DECL:
        return str(cursor.enum_value)
    if cursor.kind == CursorKind.MACRO_DEFINITION:
        if cursor.spelling.startswith("VITALWIRE_VERSION"):
            return ""  # The value differs in each release.
        return " ".join(token.spelling for token in list(cursor.get_tokens())[1:])
    if cursor.kind == CursorKind.ENUM_DECL:
        return f"enum of {cursor.enum_type.get_canonical().spelling}"
    if cursor.kind in TYPES:
        return layout(type_) if is_c and cursor.is_definition() else ""
    if cursor.kind == CursorKind.FIELD_DECL and is_c:
        return f"{type_.spelling} at bit {cursor.get_field_offsetof()}"
    if type_.kind == TypeKind.POINTER and type_.get_pointee().kind == TypeKind.FUNCTIONPROTO:
        return type_.get_pointee().spelling
    return type_.spelling


def print_names(scope: Cursor, prefix: str, owner: str, start: str, end: str) -> None:
    """Print the names of a scope in files whose path begins with `start` and ends with `end`."""
    is_c = end == ".h"
    for cursor in scope.get_children():
        file = cursor.location.file
        if file is None or not (file.name.startswith(start) and file.name.endswith(end)):
            continue
        if cursor.kind in (CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL):
            print_names(cursor, prefix, owner, start, end)
        is_public_macro = cursor.kind == CursorKind.MACRO_DEFINITION and is_c and not cursor.spelling.endswith("_H")
        if not (is_public_macro or cursor.kind in KINDS) or cursor.access_specifier == AccessSpecifier.PRIVATE:
            continue
        if not cursor.spelling or cursor.spelling in INTERNAL:
            continue
        name = prefix + cursor.spelling
        path = f"{name}::"
        if is_c and cursor.kind in TYPES:
            # A typedef may have the same name.
            name = f"type {name}"
        elif not is_c and cursor.kind in FUNCTIONS:
            # Overloads have the same name and different types.
            name = f"{name}: {cursor.type.get_canonical().spelling}"
        # A declaration adds nothing to a definition.
        is_complete = cursor.kind not in TYPES or cursor.is_definition() or cursor.get_definition() is None
        if is_complete and cursor.kind != CursorKind.NAMESPACE:
            closed = owner if is_c and cursor.kind == CursorKind.FIELD_DECL else ""
            print(name, declared(cursor, is_c), closed, sep="\t")
        if cursor.kind in SCOPES:
            print_names(cursor, path, name, start, end)


def main() -> None:
    """Print the names."""
    folder, header, *options = sys.argv[1:]
    everything = TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD | TranslationUnit.PARSE_SKIP_FUNCTION_BODIES
    unit = Index.create().parse(f"{folder}/{header}", args=[*options, "-I", folder], options=everything)
    errors = [str(found) for found in unit.diagnostics if found.severity >= found.Error]
    if errors:
        sys.exit("\n".join(errors))
    print_names(unit.cursor, "", "", f"{folder}/", pathlib.Path(header).suffix)


main()
