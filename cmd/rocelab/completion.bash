
# Where the package bash-completion is missing, or old as on macOS, these do what
# rocelab's completion needs of it.
__rocelab_init_completion()
{
    COMPREPLY=()
    if declare -F _get_comp_words_by_ref >/dev/null; then
        _get_comp_words_by_ref "$@" cur prev words cword
        return
    fi
    local line=${COMP_LINE:0:COMP_POINT}
    read -r -a words <<<"$line"
    if [[ $line == *[[:blank:]] ]]; then
        words+=("")
    fi
    cword=$((${#words[@]} - 1))
    cur=${words[cword]}
    prev=${words[cword - 1]}
}

if ! declare -F _filedir >/dev/null; then
    # Folders, and without -d files: all, or those whose extension is of a pattern.
    _filedir()
    {
        local IFS=$'\n'
        if [[ $(type -t compopt) == builtin ]]; then
            compopt -o filenames
        fi
        COMPREPLY+=($(compgen -d -- "$cur"))
        if [[ $1 != -d ]]; then
            COMPREPLY+=($(compgen -f -- "$cur" | grep -E "\.(${1:-.*})$"))
        fi
    }
fi

# What is offered begins where bash begins a word: behind the last colon or equals
# sign, where bash takes those as ends of words. Commas need no backslash.
__rocelab_handle_special_char()
{
    if [[ $2 != : ]]; then
        return # one call for all
    fi
    local ends='' before='' i
    [[ $COMP_WORDBREAKS == *:* ]] && ends+=:
    [[ $COMP_WORDBREAKS == *=* ]] && ends+==
    if [[ -n $ends && $1 == *[$ends]* ]]; then
        before=${1%"${1##*[$ends]}"}
    fi
    for i in "${!COMPREPLY[@]}"; do
        COMPREPLY[i]=${COMPREPLY[i]//\\,/,}
        COMPREPLY[i]=${COMPREPLY[i]#"$before"}
    done
}
