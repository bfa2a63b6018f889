#compdef twosphere
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of twosphere in zsh.
_twosphere_settings() { compadd "$@" -S '' -- @settings@ }
_twosphere_commands() {
  local -a commands=(
@summaries@  )
  _describe -t commands command commands
  _files
}
_twosphere() {
  local curcontext="$curcontext" state state_descr line
  typeset -A opt_args
  _arguments -C@program@ \
      '1:command or scenario:_twosphere_commands' \
      '*::argument:->argument' && return
  case $line[1] in
@cases@  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _twosphere "$@"; else compdef _twosphere twosphere; fi
