_clap_complete_vitalwire() {
    local words=("${COMP_WORDS[@]}") candidates
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        words[COMP_CWORD]="$2"
    fi
    COMPREPLY=()
    candidates=$( \
        _CLAP_IFS=$'\013' \
        _CLAP_COMPLETE_INDEX="${COMP_CWORD}" \
        _CLAP_COMPLETE_QUOTE="${COMP_WORDS[COMP_CWORD]:0:1}" \
        VARIABLE="bash" \
        vitalwire -- "${words[@]}" \
    ) || return
    # Unlike an unquoted expansion, `read` does not replace candidates with file names.
    IFS=$'\013' read -r -d '' -a COMPREPLY < <(printf '%s' "$candidates")
    if compopt +o nospace 2> /dev/null && [[ "${COMPREPLY-}" =~ [=/:]$ ]]; then
        compopt -o nospace
    fi
}
if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -o nospace -o bashdefault -o nosort -F _clap_complete_vitalwire vitalwire
else
    complete -o nospace -o bashdefault -F _clap_complete_vitalwire vitalwire
fi
