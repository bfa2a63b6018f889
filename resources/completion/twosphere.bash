# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of twosphere in bash.
_twosphere_words() { COMPREPLY+=($(compgen -W "$1" -- "$value")); }
_twosphere_paths() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\n'
  COMPREPLY+=($(compgen "$1" -- "$value"))
}
_twosphere_list() {
  local before=
  if [[ $value == *,* ]]; then before=${value%,*},; fi
  compopt -o nospace 2>/dev/null
  COMPREPLY+=($(compgen -P "$before" -W "$1" -- "${value##*,}"))
}
_twosphere_settings() {
  compopt -o nospace 2>/dev/null
  COMPREPLY+=($(compgen -W "$1" -- "$value"))
  # What readline completes begins behind the last "=".
  if [[ $value == *=* && $COMP_WORDBREAKS == *=* ]]; then COMPREPLY=("${COMPREPLY[@]#"${value%=*}="}"); fi
}
_twosphere() {
  local words value option='' command=''
  COMPREPLY=()
  read -a words <<<"${COMP_LINE:0:COMP_POINT}"
  if [[ ${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]]; then words+=(''); fi
  value=${words[-1]}
  if (( ${#words[@]} > 2 )) && [[ ${words[1]} != -* ]]; then command=${words[1]}; fi
  if [[ $value == --*=* ]]; then
    option=${value%%=*} value=${value#*=}
  elif [[ ${words[-2]} == --* && ${words[-2]} != *=* ]]; then
    option=${words[-2]}
  fi
  case $command:$option in
@values@  *)
    case $value in -*)
      case $command in
@options@      esac ;;
    *)
      case $command:$(( ${#words[@]} - 2 )) in
    :0)
      _twosphere_words '@names@'
      _twosphere_paths -f ;;
@arguments@      esac ;;
    esac ;;
  esac
}
complete -F _twosphere twosphere
